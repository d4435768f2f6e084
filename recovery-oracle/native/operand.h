/* SPDX-License-Identifier: Apache-2.0 */
/* The memory operand of an instruction. */
#ifndef READS_OPERAND_H
#define READS_OPERAND_H

#include "decode.h"

#include <sys/user.h>

/* An instruction that is decoded. */
struct bytes {
	const uint8_t *code;
	unsigned at;
	uint8_t rex; /* or what a VEX or EVEX prefix has in its place */
	bool is_short; /* 66: 16 bits */
	bool has_f2;
	bool has_f3;
	bool has_fs;
	unsigned scale; /* of a displacement of one byte; 0 = 1 */
};

struct operand {
	uint64_t address;
	bool is_relative; /* to the instruction's end, which is not in the address yet */
	unsigned number; /* of the register that is the other operand */
};

/* FS, 66, F2, F3 and REX, in this order. */
void operand_prefixes(struct bytes *bytes);
/* Bytes of general registers. */
unsigned operand_width(const struct bytes *bytes);
/* Of ModRM and what follows it. False when it is no memory. */
bool operand_at(struct bytes *bytes, const struct user_regs_struct *registers, struct operand *operand);
/* The next bytes, as a number with a sign. */
int64_t operand_number(struct bytes *bytes, unsigned size);
/* A general register by its number. */
uint64_t *operand_general(struct user_regs_struct *registers, unsigned number);
uint64_t operand_value(const struct user_regs_struct *registers, unsigned number);

#endif
