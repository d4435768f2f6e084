/* SPDX-License-Identifier: Apache-2.0 */
/* What an instruction does to general registers and flags, and where it goes: read from its bytes alone. */
#ifndef READS_EFFECT_H
#define READS_EFFECT_H

#include "decode.h"

/* A bit for each general register, and one for the arithmetic flags. */
#define FLAGS_BIT (1U << 16)

enum way {
	ON, /* to the next one */
	JUMP,
	BRANCH, /* to the next one, or as a jump */
	CALL,
	RETURN,
	ELSEWHERE, /* indirect calls and jumps, system calls; or it is not known */
};

/* What it does to the stack's depth: the bytes between RSP and where a function's return address is. */
enum stack {
	DEEPER, /* by so many bytes; also 0, or fewer than 0 */
	FRAME, /* RBP is what RSP is */
	TO_FRAME, /* RSP is so many bytes below RBP */
	LEAVES, /* the same, and RBP is another */
	LOST, /* not known */
};

struct effect {
	enum way way;
	unsigned length;
	/* What it depends on; more when in doubt. */
	uint32_t reads;
	uint32_t address; /* of these, those of which the address of a memory operand is made */
	/* What does not depend any more on what it was, unless that is read; less when in doubt. */
	uint32_t writes;
	int64_t distance; /* of a jump, from its end */
	bool is_through; /* it goes where the word there says */
	uint32_t changes; /* general registers that it may change; more when in doubt */
	enum stack stack;
	int64_t bytes;
	/* A memory operand without an index at RSP or RBP, and so many bytes. */
	bool is_at_stack;
	bool is_at_frame;
	int64_t offset;
};

/* Reads no bytes behind the instruction but up to LONGEST_INSTRUCTION from its begin. */
struct effect effect_of(const uint8_t code[LONGEST_INSTRUCTION]);

#endif
