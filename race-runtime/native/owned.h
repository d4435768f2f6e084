/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HMTRace's short way: a word of a page that the calling thread owns. All earlier accesses there are its own, so none is a
 * race. Whatever is not at hand is left to the long way, which finds it out.
 */
#ifndef RACE_OWNED_H
#define RACE_OWNED_H

#include "cells.h"
#include "known.h"
#include "stacks.h"

/* Keeps a plain access. Returns false if there is no place for it. */
static inline __attribute__((always_inline)) bool owned_keep(struct granule *granule, uint32_t segment, uint32_t use,
		struct details details)
{
	/* Those of which this one has all bytes, and writes if they write; also empty cells. */
	cells uses = granule->uses, covered = (cells)((uses & ~use & (ALL_BYTES << MASK_SHIFT | ACCESS_WRITE)) == 0);
	unsigned possible = cells_set(covered);
	if (__builtin_expect(possible == 0, 0))
		return false;
	unsigned place = (unsigned)__builtin_ctz(possible);
	granule->details[place] = details;
	granule->segments[place] = segment;
	granule->uses = (uses & ~covered) | (use & cells_lowest[possible]);
	return true;
}

/* An access to a word whose chunk has its tags at this base, 0 = it has none. Returns whether that is all. */
static inline __attribute__((always_inline)) bool owned_access(uintptr_t address, uintptr_t base, size_t size,
		bool writes, uintptr_t pc, uintptr_t sp)
{
	struct thread *me = self;
	if (me == NULL || (me->closed | me->hook) != 0 || base == 0 || (size > 1 && address % WORD + size > WORD))
		return false;
	struct shadow shadow = shadow_in(base, address);
	me->hook = sp;
	bool done = shadow_have(me, &shadow, address);
	if (done) {
		const struct known_node *place = stack_at_hand(me, pc, sp);
		uint32_t use = me->use | ((1u << size) - 1) << MASK_SHIFT << address % GRANULE | writes;
		done = place != NULL &&
				owned_keep(shadow.granule, me->segment, use, (struct details){place->node, me->lockset});
		if (__builtin_expect(done, 1)) {
			_Atomic uint64_t *tag = (_Atomic uint64_t *)((base + address) & ~(uintptr_t)(WORD - 1));
			atomic_store_explicit(tag, known_more(me, tag, address, size, writes), memory_order_relaxed);
		}
	} else {
		/* Two cache lines that another thread may have changed last come at once, not one after the other. */
		__builtin_prefetch(shadow.words, 1);
		__builtin_prefetch(shadow.granule, 1);
	}
	shadow_give(me, &shadow, true);
	me->hook = 0;
	return done;
}

#endif
