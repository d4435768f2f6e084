/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The code ahead of a stopped thread, as far as it goes without a look at registers that are of interest: the thread
 * may run there at full speed. (Liveness of registers: Aho, Lam, Sethi and Ullman, "Compilers", 9.2.5.)
 *
 * Two things are taken for granted of a program: it does not change the code of pages that it has mapped without write
 * access, unless it maps code or makes it executable by a system call, and a called function that leaves the stack as
 * it was returns to its caller.
 */
#ifndef READS_AHEAD_H
#define READS_AHEAD_H

#include "tracee.h"

enum ahead {
	NEAR, /* the next instruction has to be executed alone */
	FAR, /* the thread stops where something is done with the registers, or where that is not known */
	NEVER, /* whatever way it goes, others' values come to the registers first */
};

/*
 * Looks ahead from where the thread is, and has it stop in time.
 *
 * kept: the registers of interest (effect.h), at least one
 */
enum ahead ahead_look(struct task *task, const struct user_regs_struct *at, uint32_t kept);
/*
 * The thread came there since then: which of the registers may still hold what they did. None at an address that was
 * not looked at: ways end where there are none.
 */
uint32_t ahead_kept(struct task *task, uint64_t address);
/* Whether it came to a stop, of which its instruction pointer is past now: that is put right in these registers. */
bool ahead_stopped(struct user_regs_struct *registers);
/* The bytes at an address of code. False when they cannot be read, or may change. */
bool ahead_code(struct task *task, uint64_t address, uint8_t *to, size_t size);
/* The instruction at an address can be executed by the thread itself. */
void ahead_pass(struct task *task, uint64_t address);
/* What was found out from the stack is no longer so. */
void ahead_begin(void);
/* There are no stops any more. */
void ahead_end(struct task *task);
/* Code may be somewhere else, or another one, than when it was looked at. */
void ahead_changed(void);

#endif
