/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of instructions to closed pages. */
#ifndef READS_TRAPS_H
#define READS_TRAPS_H

#include "tracee.h"

/* Closes what has to be watched still of the range. */
void traps_close(struct task *task, uint64_t address, uint64_t size);
/* Opens the range for good: all of it counts as read. */
void traps_open(struct task *task, uint64_t address, uint64_t size);
/* Whether a part of the range is closed. */
bool traps_is_closed(const struct space *space, uint64_t address, uint64_t size);

/* The thread stopped for SIGSEGV. */
enum trap traps_fault(struct task *task);
/* It executed an instruction with pages open. */
enum trap traps_stepped(struct task *task);
/* It is where it was to stop: how it goes on, if it is followed. */
enum trap traps_next(struct task *task);
/* From now on signals may be sent that look like traps. */
void traps_ask(void);
/* It did not get to execute it. */
void traps_abandon(struct task *task);

#endif
