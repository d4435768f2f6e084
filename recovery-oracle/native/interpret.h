/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that change registers and flags alone, executed in the place of a thread that is stopped. */
#ifndef READS_INTERPRET_H
#define READS_INTERPRET_H

#include "decode.h"

#include <sys/user.h>

/*
 * Also its instruction pointer is past it then. False when it is none of those that are known. Flags that the
 * instruction leaves undefined may be anything.
 */
bool interpret(const uint8_t code[LONGEST_INSTRUCTION], struct user_regs_struct *registers);

#endif
