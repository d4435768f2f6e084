/* SPDX-License-Identifier: Apache-2.0 */
/* Stores that are made in the place of the program, so that the page they go to can stay closed. */
#ifndef READS_STORES_H
#define READS_STORES_H

#include "decode.h"

#include <sys/types.h>
#include <sys/user.h>

#define LARGEST_STORE 64

enum source { GENERAL, IMMEDIATE, VECTOR };

struct store {
	uint64_t address;
	unsigned size; /* bytes: 1 to LARGEST_STORE */
	unsigned length; /* of the instruction */
	enum source source;
	unsigned number; /* of the register; of a byte register as the instruction has it */
	bool has_rex;
	bool is_upper; /* the upper 8 of 16 bytes */
	bool is_aligned; /* else it ends in an exception */
	uint64_t immediate;
};

/* False when the instruction is none of the simple ones that are known: moves to memory. */
bool stores_parse(const uint8_t code[LONGEST_INSTRUCTION], const struct user_regs_struct *registers,
		struct store *store);
/* What it stores. False when that cannot be found out. */
bool stores_value(pid_t tid, const struct store *store, const struct user_regs_struct *registers,
		uint8_t value[LARGEST_STORE]);

#endif
