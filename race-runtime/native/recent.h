/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a thread did in its segment lately: accesses that HMTRace has kept, and that need no second look until the segment
 * ends. A table that the thread alone writes is cheaper to ask than the granule, which other threads write, too.
 */
#ifndef RACE_RECENT_H
#define RACE_RECENT_H

#include "detector.h"
#include "shadow.h"

#define RECENT_WRITTEN 32 /* where the bits of written bytes begin; those of all used bytes begin at 0 */
#define RECENT_KEY_LOW 4 /* granules leave these bits of an address free, and those from ADDRESS_BITS on */
#define RECENT_KEY_BITS (64 - ADDRESS_BITS + RECENT_KEY_LOW)
#define RECENT_NEVER UINT64_MAX /* of no segment */

/* Whether the table is used: not where each access counts (KARD, pauses, tags), or where segments go on (--pure). */
extern bool with_recent;

static inline struct recent *recent_of(struct thread *me, uintptr_t address)
{
	return &me->recent[address / GRANULE % RECENT];
}

/* An access that leaves its granule has bits that no entry has. */
static inline uint64_t recent_bytes(uintptr_t address, size_t size, unsigned kind)
{
	uint64_t bytes = (((uint64_t)1 << size) - 1) << address % GRANULE;
	return kind == ACCESS_READ ? bytes : bytes << RECENT_WRITTEN;
}

static inline bool recent_fits(struct thread *me, uintptr_t address, size_t size, unsigned kind)
{
	const struct recent *recent = recent_of(me, address);
	uint64_t key = atomic_load_explicit(&me->recent_key, memory_order_relaxed);
	return recent->granule == ((address & ~(uintptr_t)(GRANULE - 1)) ^ key) &&
			(recent_bytes(address, size, kind) & ~recent->bytes) == 0;
}

/* These bytes of a granule are kept as used in the thread's segment, and some of them as written. */
void recent_grant(struct thread *me, uintptr_t address, unsigned used, unsigned written);
/* The thread's segment is a new one. */
void recent_next_segment(struct thread *me);
/* A range of memory begins a new life. */
void recent_forget(struct thread *me, uintptr_t address, size_t size);
/* By another thread: something that the thread did is no longer kept. */
void recent_spoil(struct thread *other);

#endif
