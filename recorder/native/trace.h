/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The trace: the control file that all processes of an execution share, and the records. */
#ifndef RECORDER_TRACE_H
#define RECORDER_TRACE_H

#include "pub_tool_basics.h"

#include "powercut_trace.h"

extern struct powercut_control *pc_control;
/* There is, or was, another process: code must be instrumented with pc_store_begins and pc_store_ends. */
extern Bool pc_has_company;

void pc_trace_open(void);
void pc_trace_before_fork(void);
void pc_trace_after_fork_in_child(void);

/* Everything in between is one step for other processes. May be nested. */
void pc_lock(void);
void pc_unlock(void);
/* Gets disk space for the control file up to there. Lock held. */
void pc_control_grows(SizeT end);
/* Makes room for one record. The header is filled in, the rest is zero. Publish it with pc_commit. Lock held. */
void *pc_append(UInt kind, UInt flags, ThreadId tid, SizeT length);
void pc_commit(void);

/* Ends the whole execution with a text that names cause and remedy. */
void pc_give_up(const HChar *format, ...) PRINTF_CHECK(1, 2);
/* Puts a text into the control file; the first one stays. */
void pc_set_error(UInt kind, const HChar *text);
/* SIGKILL to every process of the execution, ourselves last. */
void pc_kill_everything(void);
void pc_register_process(UInt pid);
/* The caller has forked a child, which registers itself as soon as it runs. */
void pc_child_begins(void);
/* The caller is that child, and registered. Lock held. */
void pc_child_began(void);
/* Until all children that were forked have begun, or a second has passed. */
void pc_await_children(void);
/* Takes the lock. The last process waits until its children are registered: else the execution would be over. */
void pc_lock_once_children_run(void);
/* True when no other process of the execution is left. */
Bool pc_unregister_process(UInt pid);

/* Records are padded to a multiple of 8 bytes. */
static inline SizeT pc_round8(SizeT n)
{
	return (n + 7) & ~(SizeT)7;
}

static inline ULong pc_location(UInt file, ULong offset)
{
	return (ULong)file << POWERCUT_LOCATION_FILE_SHIFT | offset;
}

#endif
