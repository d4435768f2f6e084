/* SPDX-License-Identifier: Apache-2.0 */
/* Global variables of code with hooks, from the symbols in its files. */
#ifndef RACE_VARIABLES_H
#define RACE_VARIABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The variable that holds an address; false = none that is known. The first question about a file reads it. */
bool variable_at(uintptr_t address, uintptr_t *begin, size_t *size);

/* Each variable of a module, with the address of the one behind it. */
typedef void variable_visitor(uintptr_t begin, size_t size, uintptr_t next, void *argument);
void variables_each(int module, variable_visitor *visitor, void *argument);

#endif
