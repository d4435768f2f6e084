/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The policies of scheduling. */
#include "policy.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"

#include "hashmap.h"
#include "slots.h"

#define DEPTH 3 /* of the bugs looked for: how many points in time must be met */
#define LENGTH_IN_QUANTA 64 /* of the run, in which the points lie */
#define PATIENCE 8 /* slices that others wait for one thread */
#define LONGEST_PAUSE 4 /* turns of others */
#define DECAY 10 /* of the probability to pause, in per cent of 1, at each pause */

typedef struct {
	ULong priority; /* pct */
	UInt pause; /* delay: turns of others */
} Thread;

static Policy policy;
static ULong quantum;
static ULong state; /* of the random numbers */
static Thread *threads;
static ULong lowest; /* below all priorities so far */
static ULong change_points[DEPTH - 1]; /* ascending, in blocks */
static UInt changes; /* of them that are over */
static UInt slices; /* that one thread had in a row while others could run */
static HashMap pauses; /* at a place, so far */

static ULong random_number(void)
{
	ULong value = state += 0x9E3779B97F4A7C15ULL;
	value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9ULL;
	value = (value ^ value >> 27) * 0x94D049BB133111EBULL;
	return value ^ value >> 31;
}

const HChar *pc_policy_name(Policy which)
{
	static const HChar *const names[] = {"default", "pct", "delay", "system"};
	return names[which];
}

static void choose_change_points(void)
{
	for (UInt i = 0; i < DEPTH - 1; i++) {
		ULong point = random_number() % (LENGTH_IN_QUANTA * quantum);
		UInt at = i;
		for (; at > 0 && change_points[at - 1] > point; at--)
			change_points[at] = change_points[at - 1];
		change_points[at] = point;
	}
}

void pc_policy_init(Policy which, ULong seed, ULong blocks)
{
	policy = which;
	quantum = blocks;
	state = seed * 0xD1342543DE82EF95ULL + 1;
	lowest = 1ULL << 32;
	changes = slices = 0;
	pc_map_clear(&pauses);
	VG_(free)(threads);
	threads = VG_(calloc)("pc.policy", pc_most_threads(), sizeof(Thread));
	choose_change_points();
}

void pc_policy_thread_starts(ThreadId tid)
{
	threads[tid].priority = random_number() | 1ULL << 63;
	threads[tid].pause = 0;
}

/* ------------------------------------------------------------ the choice */

static ThreadId in_turn(const Bool *can_run, ThreadId highest, ThreadId last)
{
	for (ThreadId i = 1; i <= highest; i++) {
		ThreadId tid = (last + i - 1) % highest + 1;
		if (can_run[tid])
			return tid;
	}
	return VG_INVALID_THREADID;
}

static Bool is_alone(const Bool *can_run, ThreadId highest, ThreadId tid)
{
	for (ThreadId other = 1; other <= highest; other++) {
		if (other != tid && can_run[other])
			return False;
	}
	return True;
}

static void change_priorities(const Bool *can_run, ThreadId highest, ThreadId last, TurnEnd why, ULong blocks)
{
	Bool demoted = why == TURN_YIELDS;
	if (why != TURN_SLICE || is_alone(can_run, highest, last))
		slices = 0;
	else if (++slices == PATIENCE)
		demoted = True;
	while (changes < DEPTH - 1 && change_points[changes] <= blocks) {
		changes++;
		demoted = True;
	}
	if (!demoted)
		return;
	slices = 0;
	threads[last].priority = --lowest;
}

static ThreadId by_priority(const Bool *can_run, ThreadId highest)
{
	ThreadId best = VG_INVALID_THREADID;
	for (ThreadId tid = 1; tid <= highest; tid++) {
		if (can_run[tid] && (best == VG_INVALID_THREADID || threads[tid].priority > threads[best].priority))
			best = tid;
	}
	return best;
}

/* One whose pause is over; if there is none, the one that is closest to it. */
static ThreadId without_pause(const Bool *can_run, ThreadId highest, ThreadId last)
{
	ThreadId best = VG_INVALID_THREADID;
	for (ThreadId i = 1; i <= highest; i++) {
		ThreadId tid = (last + i - 1) % highest + 1;
		if (can_run[tid] && (best == VG_INVALID_THREADID || threads[tid].pause < threads[best].pause))
			best = tid;
	}
	for (ThreadId tid = 1; tid <= highest; tid++) {
		if (threads[tid].pause > 0)
			threads[tid].pause--;
	}
	threads[best].pause = 0;
	return best;
}

ThreadId pc_policy_choose(const Bool *can_run, ThreadId highest, ThreadId last, TurnEnd why, ULong blocks)
{
	switch (policy) {
	case POLICY_PCT: change_priorities(can_run, highest, last, why, blocks); return by_priority(can_run, highest);
	case POLICY_DELAY: return without_pause(can_run, highest, last);
	case POLICY_DEFAULT:
	case POLICY_SYSTEM: break;
	}
	return in_turn(can_run, highest, last);
}

ULong pc_policy_slice(ULong blocks)
{
	if (policy != POLICY_PCT || changes == DEPTH - 1)
		return quantum;
	ULong point = change_points[changes];
	return point > blocks && point - blocks < quantum ? point - blocks : quantum;
}

Bool pc_policy_pauses(ThreadId tid, ULong place)
{
	if (policy != POLICY_DELAY)
		return False;
	UInt times = pc_map_get(&pauses, place + 1);
	if (times == HASHMAP_ABSENT)
		times = 0;
	if (times * DECAY >= 100 || random_number() % 100 >= 100 - times * DECAY)
		return False;
	pc_map_put(&pauses, place + 1, times + 1);
	threads[tid].pause = 1 + (UInt)(random_number() % LONGEST_PAUSE);
	return True;
}
