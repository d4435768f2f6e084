/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a program does with bytes that it loads: it is followed, one instruction at a time, as long as registers hold
 * something that was computed from them. Each branch that depends on it becomes a condition. A run with other bytes for
 * which the same conditions hold goes the same way, and does the same: so such bytes do not count as read.
 *
 * Bytes count as read as soon as something computed from them is stored, or used as an address, or by an instruction
 * that is not known. (King, "Symbolic execution and program testing", CACM 1976; with concrete values beside, as in
 * Godefroid, Klarlund and Sen, "DART", PLDI 2005.)
 */
#ifndef READS_FOLLOW_H
#define READS_FOLLOW_H

#include "emulate.h"
#include "instead.h"
#include "tracee.h"

/* Whether the thread has registers that hold what was computed. */
bool follow_is_on(const struct task *task);
/*
 * A load that is about to be emulated, from a closed page. False when it cannot be followed: then its bytes have to
 * count as read.
 */
bool follow_load(struct task *task, struct page *page, const struct load *load, uint64_t value,
		const struct user_regs_struct *before);
/* Looks at what comes next, and executes it if possible: how the thread goes on. instruction: NULL = not known */
enum trap follow_next(struct task *task, struct instruction *instruction);
/* An instruction trapped that the thread came to, perhaps after others; registers: NULL = not known. */
void follow_arrive(struct task *task, const struct user_regs_struct *registers);
/* It will be executed as it is. */
void follow_access(struct task *task, const struct user_regs_struct *registers,
		const uint8_t code[LONGEST_INSTRUCTION]);
/* What registers hold counts as read. */
void follow_end(struct task *task);
/* A file was changed by a call: what is loaded from now on may not be what the image held. */
void follow_no_more(void);

#endif
