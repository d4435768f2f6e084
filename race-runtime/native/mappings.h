/* SPDX-License-Identifier: Apache-2.0 */
/* Files that the program maps, as the kernel lists them. */
#ifndef RACE_MAPPINGS_H
#define RACE_MAPPINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The file that is mapped at an address, and where in the file that is. Returns false if there is none. */
bool mapping_at(uintptr_t address, char *path, size_t size, uint64_t *offset);

/* Each private mapping that can be read and written. A file's are told from others. */
typedef void mapping_visitor(uintptr_t begin, uintptr_t end, bool is_file, void *argument);
void mappings_each_writable(mapping_visitor *visitor, void *argument);

#endif
