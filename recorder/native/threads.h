/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads and processes. */
#ifndef RECORDER_THREADS_H
#define RECORDER_THREADS_H

#include "pub_tool_basics.h"

void pc_threads_init(void);
/* Its id in the trace; 0 = none. */
UInt pc_thread_id(ThreadId tid);
void pc_threads_end_process(Int status);
/* After wait4 or waitid. */
void pc_threads_after_wait(ThreadId tid, UInt number, const UWord *args, SysRes result);
/* Called from instrumented code. */
void pc_on_join_entered(UWord pthread);
/* Threads that wait in pthread_join. */
extern UInt pc_joins_waiting;
/* Writes the join records that are due before this thread's next record. */
void pc_joins_due(ThreadId tid);

#endif
