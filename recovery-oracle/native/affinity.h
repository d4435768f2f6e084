/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process that traps often, and its watcher, on one processor. Else each stop wakes the one and each end of it the
 * other on another processor, and that takes longer than all that is done in between.
 */
#ifndef READS_AFFINITY_H
#define READS_AFFINITY_H

#include "tracee.h"

/* It trapped: after some traps it gets the watcher's processor, if it has one thread only. */
void affinity_trapped(const struct task *task);
/* Each may use the processors again that it could: the process may notice, or has more work than that of one. */
void affinity_part(void);
/* The same, of a process that has just begun as a copy of this one. */
void affinity_inherited(const struct task *parent, pid_t child);

#endif
