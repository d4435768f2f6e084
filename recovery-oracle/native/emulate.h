/* SPDX-License-Identifier: Apache-2.0 */
/* Loads that are executed in the place of the program, so that the page they load from can stay closed. */
#ifndef READS_EMULATE_H
#define READS_EMULATE_H

#include "arithmetic.h"
#include "decode.h"

#include <sys/user.h>

struct load {
	uint64_t address;
	unsigned size; /* bytes; 0 = it loads nothing: a flush */
	unsigned length; /* of the instruction */
	/* What is done with them. */
	enum operation operation;
	bool is_signed;
	unsigned target; /* bytes of the result */
	unsigned number; /* of the register; of a byte register as the instruction has it */
	bool has_rex;
	bool has_immediate;
	uint64_t immediate;
	bool is_reversed; /* memory is the left operand */
	bool is_aligned; /* else it ends in an exception */
	bool is_vector; /* the number is that of an XMM register */
};

/* Of 16 bytes. */
struct value {
	uint64_t low;
	uint64_t high;
};

/* False when the instruction is none of the simple ones that are known. */
bool emulate_parse(const uint8_t code[LONGEST_INSTRUCTION], const struct user_regs_struct *registers,
		struct load *load);
/* The registers after it. False when it would end in an exception. */
bool emulate(const struct load *load, uint64_t value, struct user_regs_struct *registers);
/* The same of a load into a vector register. */
void emulate_vector(const struct load *load, struct value value, struct user_fpregs_struct *vectors);

#endif
