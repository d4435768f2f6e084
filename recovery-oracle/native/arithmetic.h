/* SPDX-License-Identifier: Apache-2.0 */
/* What instructions do to numbers and flags. The processor computes it. */
#ifndef READS_ARITHMETIC_H
#define READS_ARITHMETIC_H

#include <stdbool.h>
#include <stdint.h>

#define CARRY_FLAG 0x1
#define PARITY_FLAG 0x4
#define AUXILIARY_FLAG 0x10
#define ZERO_FLAG 0x40
#define SIGN_FLAG 0x80
#define OVERFLOW_FLAG 0x800
#define ARITHMETIC_FLAGS (CARRY_FLAG | PARITY_FLAG | AUXILIARY_FLAG | ZERO_FLAG | SIGN_FLAG | OVERFLOW_FLAG)

/* As far as possible the numbers of opcodes. */
enum operation {
	ADD_TO = 0,
	OR_TO = 1,
	ADD_CARRY = 2,
	SUBTRACT_BORROW = 3,
	AND_TO = 4,
	SUBTRACT = 5,
	XOR_TO = 6,
	COMPARE = 7,
	TEST = 8,
	MOVE = 9,
	NOTHING = 10,
	DIVIDE = 11,
	MULTIPLY = 12,
	LEFT_SHIFT = 13,
	RIGHT_SHIFT = 14,
	SIGNED_SHIFT = 15
};

/* What conditional instructions ask of the processor's flags. */
struct asked {
	bool zero, carry, sign, overflow, parity;
};

/*
 * left operation right, of so many bytes; all but those with carry, divisions and moves. Flags that are left undefined
 * may be anything.
 *
 * flags: those that it changes are changed
 */
uint64_t arithmetic_result(enum operation operation, unsigned size, uint64_t left, uint64_t right, uint64_t *flags);
/* The condition that an opcode numbers. */
bool arithmetic_answer(unsigned code, struct asked flags);
/* The same, of the processor's flags. */
bool arithmetic_holds(unsigned code, uint64_t flags);
/* The lower bytes of a number, with its sign. */
uint64_t arithmetic_extended(uint64_t value, unsigned size);

#endif
