/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Call stacks, and the failure points that they identify. */
#ifndef RECORDER_STACKS_H
#define RECORDER_STACKS_H

#include "pub_tool_basics.h"
#include "libvex_guest_amd64.h"

#include "sites.h"

typedef struct {
	ULong failure_point; /* id */
	UInt id; /* in the trace; 0 = not defined there yet */
	UInt depth;
	SiteIndex *sites; /* innermost first */
	Bool excluded;
	Int leaf; /* index in the file of leaves, -1 = not there */
} Stack;

void pc_stacks_thread_starts(ThreadId tid);
void pc_stacks_thread_ends(ThreadId tid);
/* Sites changed their meaning: stacks are looked up anew. */
void pc_stacks_forget(void);
void pc_stacks_signal_delivered(ThreadId tid, Int signal, Bool alternate_stack);
void pc_stacks_signal_returned(ThreadId tid, Int signal);

/* Each event carries its stack: by --stacks=all, or since instructions say nothing about Python code. */
Bool pc_stacks_of_all(void);
/* The stack of an instruction of the running thread. */
Stack *pc_stack_in_helper(const VexGuestAMD64State *guest, SiteIndex site);
/* The same for a thread inside a system call. */
Stack *pc_stack_in_syscall(ThreadId tid, SiteIndex site);
/*
 * The functions that a thread is in, innermost first, by the instruction in each: calls less one byte, so that they are
 * those of the call. Goes on to what a signal handler interrupted. Returns how many there are, at most as many as asked.
 */
UInt pc_frames(ThreadId tid, Addr *frames, UInt most);
/* Its id in the trace, where it is defined first if it is new. Lock held. */
UInt pc_stack_id(Stack *stack);

/* Called from instrumented code: the stack pointer was loaded with something that is neither near nor known. */
void pc_stack_jumps(VexGuestAMD64State *guest, Addr old, Addr sp);
/* The slow path of a push, of a return and of a jump: the stack pointer went up past entries, or far away. */
void pc_shadow_fix(VexGuestAMD64State *guest, Addr sp);

#endif
