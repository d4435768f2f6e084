/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which thread runs. From a process's second thread on, one thread holds the turn until its time slice ends, it sleeps
 * in a system call, yields, or exits. Then the next one is chosen among all that can run: by the policy (policy.h), or
 * as a recorded schedule says (schedule_log.h). The choice comes after every thread in a system call has returned or
 * sleeps. So the candidates, and with them the schedule, do not depend on timing.
 *
 * What does: threads that wait for other processes, for devices, for the time of day, or for signals from outside. When
 * they can run again is not known in advance. A recorded schedule is followed even so: its replay waits for them.
 *
 * Time is counted in executed blocks, NS_PER_BLOCK each. Who sleeps, or waits for a futex with a time limit, can run
 * again when that much time has passed, or nobody else can run. No sleep is shorter than was asked for.
 */
#ifndef RECORDER_SCHEDULE_H
#define RECORDER_SCHEDULE_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

/*
 * Set while the running thread's time slice is over, though its block is not: code that persists leaves its block then
 * (instrumented only if pc_schedule_may_interrupt).
 */
extern UInt pc_slice_is_over;
Bool pc_schedule_may_interrupt(void);

void pc_schedule_init(void);
/* From the second thread on, which calls this first, there is a schedule. */
void pc_schedule_thread_created(ThreadId creator, ThreadId child);
void pc_schedule_thread_ends(ThreadId tid);
void pc_schedule_runs(ThreadId tid);
void pc_schedule_before_syscall(ThreadId tid, UInt number, const UWord *args);
/* The result that the target gets: that of a wait that was ended because its time is over. */
SysRes pc_schedule_after_syscall(ThreadId tid, UInt number, SysRes result);
/* True if the call's time limit is enforced here, and the kernel must not see it. */
Bool pc_schedule_keeps_time_of(ThreadId tid);
/* All threads but one are about to be ended. */
void pc_schedule_process_ends(void);

/* The running thread stored into PM; it uses other memory, or is about to release a lock: it may have to pause there. */
void pc_schedule_stored(ThreadId tid, UInt site);
void pc_schedule_may_pause(ThreadId tid, UInt site);
/* The running thread is about to flush or fence, at that address: it may have to stop in front (called from code). */
void pc_schedule_persists(Addr pc);

#endif
