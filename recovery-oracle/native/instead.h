/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions that are executed in the place of the program, so that pages stay closed, and so that a thread does not
 * stop for each of them.
 */
#ifndef READS_INSTEAD_H
#define READS_INSTEAD_H

#include "decode.h"
#include "tracee.h"

/* One that a thread is about to execute. */
struct instruction {
	/* Once it was executed, what they are after it; the thread's own are not changed. */
	struct user_regs_struct registers;
	uint8_t code[LONGEST_INSTRUCTION + 8];
	struct access access;
};

/* False when it is not known, or not executed: then nothing has changed. */

/* The one that trapped at an address of a closed page; what it reads and stores is noted. */
bool instead_trapped(struct task *task, const struct mapped *mapped, uint64_t address, struct instruction *instruction);
/* The same of a load that would trap. */
bool instead_load(struct task *task, const struct mapped *mapped, uint64_t address, struct instruction *instruction);
/* One of registers alone. */
bool instead_compute(const struct task *task, struct instruction *instruction);
/* The same, or a jump or return, or one that changes registers to what is in memory that is not closed. */
bool instead_read(struct task *task, struct instruction *instruction);
/* One that stores to such memory, or calls; and whether it is one. */
bool instead_store(struct task *task, struct instruction *instruction);
bool instead_can_store(struct task *task, const struct instruction *instruction);

#endif
