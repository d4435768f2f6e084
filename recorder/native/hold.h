/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --hold=WRITER:STORE:BLOCKS[:READER[:PERSISTER]]: keeps a thread from persisting what it stored, so that another one may load it
 * before.
 *
 * Threads are numbered as in the trace. Behind the STORE-th store of WRITER (its records STORE and STORE_ELEMENT without
 * the flag MORE, counted from 1), it lets others go first: it runs in short slices, when nobody else can, or when they
 * had some time, since they may wait for its lock. In front of its next flush or fence it stops. It goes on when nobody
 * else can run, or BLOCKS blocks after the store. A yield of another thread counts as 1,000 of them, since it waits. If
 * READER is given, that thread lets others go first until the store: so it does not load what was there before. A
 * schedule that is followed (--schedule-in) is followed up to the store; then the policy goes on. If the store was made
 * before there was a second thread, it is not followed at all.
 *
 * Another thread may be the one that persists the store. If PERSISTER is given, it is that thread which is kept so behind
 * the store, and not WRITER. READER is 0 then if there is none.
 *
 * A schedule says in its first line with which hold it was written, and a replay of it repeats the stops.
 */
#ifndef RECORDER_HOLD_H
#define RECORDER_HOLD_H

#include "pub_tool_basics.h"

#define HOLD_LENGTH 100

/* Reads "WRITER:STORE:BLOCKS", with ":READER" or ":READER:PERSISTER" behind it. */
Bool pc_hold_parse(const HChar *text);
/* The same, at most HOLD_LENGTH characters. */
void pc_hold_print(HChar *text);
/* Whether the option is given. */
Bool pc_hold_is_wanted(void);

/* In a process that has one thread now. */
void pc_hold_forget(void);
/* The process gets a second thread. True: the first one has made the store already. */
Bool pc_hold_is_behind_its_store(ThreadId only);
/* The thread stored into PM. True: it has to stop there, since it is the store. */
Bool pc_hold_stored(ThreadId tid, ULong now);
/* The thread, one of several, is about to flush or fence. True: it has to stop in front. Times are in ns, as those of the schedule. */
Bool pc_hold_persists(ThreadId tid);
/* Whether the thread waits for others that can run. */
Bool pc_hold_keeps(ThreadId tid, ULong now);
/* Whether its slices are short, and end where it wakes others. */
Bool pc_hold_is_put_off(ThreadId tid, ULong now);
/* The thread yields (sched_yield). */
void pc_hold_others_yield(ThreadId tid);
/* It gets a turn. */
void pc_hold_turn(ThreadId tid, ULong now);

#endif
