/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of the threads that can run is the next one. The same seed and the same candidates give the same choice.
 *
 * default: each in its turn.
 * pct: probabilistic concurrency testing (Burckhardt et al., ASPLOS 2010): the one with the highest priority.
 * Priorities are random. At DEPTH - 1 random points the running thread gets the lowest; so does one that yields, and
 * one that others have waited for a number of slices, so that nobody waits forever for a thread that spins.
 * delay: each in its turn, but a thread that is about to release a lock, or has stored into PM, may have to pause
 * (Vardalith, section 5.2), and so may one that is about to flush or fence: by then it may have given away what it
 * stored. The probability is 1 the first time at a place and lower each time. The paper keeps it where a race was
 * found; here races are found later, from the trace.
 */
#ifndef RECORDER_POLICY_H
#define RECORDER_POLICY_H

#include "pub_tool_basics.h"

#define NS_PER_BLOCK 20ULL /* how time is counted */

typedef enum { POLICY_DEFAULT, POLICY_PCT, POLICY_DELAY, POLICY_SYSTEM } Policy;

/* Why a thread gave up its turn. */
typedef enum {
	TURN_SLICE = 'q',
	TURN_SLEEPS = 's', /* in a system call */
	TURN_YIELDS = 'y',
	TURN_PAUSES = 'p',
	TURN_EXITS = 'x',
	TURN_ENDS = 'e', /* the process ends */
} TurnEnd;

const HChar *pc_policy_name(Policy policy);
void pc_policy_init(Policy policy, ULong seed, ULong quantum);
void pc_policy_thread_starts(ThreadId tid);
/* One of 1 to `highest` that can run; some can. `last` gave up its turn after `blocks` in all threads together. */
ThreadId pc_policy_choose(const Bool *can_run, ThreadId highest, ThreadId last, TurnEnd why, ULong blocks);
/* The length of its slice, in blocks. */
ULong pc_policy_slice(ULong blocks);
/* Whether the thread has to pause at this place. */
Bool pc_policy_pauses(ThreadId tid, ULong place);

#endif
