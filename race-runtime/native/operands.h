/* SPDX-License-Identifier: Apache-2.0 */
/* How many bytes an instruction of x86-64 reads or writes in memory. */
#ifndef RACE_OPERANDS_H
#define RACE_OPERANDS_H

#include <stddef.h>

/* Of common instructions; 1 for what it does not know, so that at least the first byte is right. */
size_t operand_size(const unsigned char *code);

#endif
