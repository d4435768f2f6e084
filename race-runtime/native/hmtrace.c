/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HMTRace in software. The paper's tag of a granule is the thread that has it; here a granule keeps up to four tags with
 * the bytes that each of them claimed, so that neighbours in one granule are told apart (pure tag matching takes them
 * for a race). A tag that happened before the access matches, as it does in the paper when a thread's tags pass on to its
 * parent (section 4.1, segments). A tag that does not match is a race when the lockset analysis is inconclusive
 * (equation 10).
 */
#include "detector.h"

#include "locksets.h"
#include "report.h"
#include "shadow.h"
#include "stacks.h"
#include "tags.h"

#define SLOT_SHIFT 18
#define MASK_SHIFT 2
#define KIND_MASK 3u
#define ALL_BYTES 0xffffu

static uint64_t pack(uint32_t segment, unsigned slot, unsigned bytes, unsigned kind)
{
	return (uint64_t)segment << 32 | (uint64_t)slot << SLOT_SHIFT | (uint64_t)bytes << MASK_SHIFT | kind;
}

static uint32_t segment_of(uint64_t who)
{
	return (uint32_t)(who >> 32);
}

static unsigned slot_of(uint64_t who)
{
	return (unsigned)(who >> SLOT_SHIFT) & (SLOTS * 4 - 1);
}

static unsigned bytes_of(uint64_t who)
{
	return (unsigned)(who >> MASK_SHIFT) & ALL_BYTES;
}

/* Whether whatever races with other races with one too, when both are the same thread's or ordered. */
static bool stands_for(uint64_t one, uint64_t other)
{
	if ((bytes_of(other) & ~bytes_of(one)) != 0)
		return false;
	if ((other & ACCESS_WRITE) > (one & ACCESS_WRITE))
		return false;
	return (other & ACCESS_ATOMIC) >= (one & ACCESS_ATOMIC);
}

static bool is_known(struct granule *granule, uint64_t mine)
{
	for (unsigned i = 0; i < CELLS; i++) {
		uint64_t who = atomic_load_explicit(&granule->cells[i].who, memory_order_relaxed);
		if (who == mine)
			return true;
		if (((who ^ mine) & ~(uint64_t)((1u << SLOT_SHIFT) - 1)) == 0 && stands_for(who, mine))
			return true;
	}
	return false;
}

static bool is_ordered(const struct thread *me, uint64_t who)
{
	return slot_of(who) == me->slot || segment_of(who) <= clock_get(&me->clock, slot_of(who));
}

static bool conflict(uint64_t one, uint64_t other)
{
	return (bytes_of(one) & bytes_of(other)) != 0 && ((one | other) & ACCESS_WRITE) != 0 &&
			(one & other & ACCESS_ATOMIC) == 0;
}

/* Whether locks order the two: a lock that both had only shared orders readers alone. */
static bool is_locked(uint32_t one, uint32_t other)
{
	return lockset_compare(one, other) == LOCKSET_EXCLUSIVE;
}

/*
 * Whether the granule may pass from another access to this one for good. With a common lock that is ordered by the lock,
 * too; without edges of library calls it is HMTRace's exclusive state, in which the new tag stands instead of the old.
 */
static bool is_handed_over(const struct thread *me, const struct cell *cell, uint32_t locks)
{
	return is_ordered(me, atomic_load_explicit(&cell->who, memory_order_relaxed)) ||
			(is_pure && is_locked(cell->locks, locks));
}

/* An access that this one races with. */
struct found {
	uint64_t who;
	uint32_t where;
	uint32_t locks;
};

/* Returns how many there are. */
static unsigned look(struct thread *me, struct granule *granule, uint64_t mine, uint32_t locks, struct found *found)
{
	unsigned count = 0;
	for (unsigned i = 0; i < CELLS; i++) {
		struct cell *cell = &granule->cells[i];
		uint64_t who = atomic_load_explicit(&cell->who, memory_order_relaxed);
		if (who != 0 && conflict(who, mine) && !is_ordered(me, who) && !is_locked(cell->locks, locks))
			found[count++] = (struct found){who, cell->where, cell->locks};
	}
	return count;
}

static void keep(struct thread *me, struct granule *granule, uint64_t mine, uint32_t where, uint32_t locks)
{
	struct cell *place = NULL;
	for (unsigned i = 0; i < CELLS; i++) {
		struct cell *cell = &granule->cells[i];
		uint64_t who = atomic_load_explicit(&cell->who, memory_order_relaxed);
		if (who == 0) {
			place = place != NULL ? place : cell;
		} else if (stands_for(mine, who) && is_handed_over(me, cell, locks)) {
			if (place != NULL && place != cell)
				atomic_store_explicit(&place->who, 0, memory_order_relaxed);
			place = cell;
		}
	}
	if (place == NULL)
		place = &granule->cells[me->turn++ % CELLS];
	place->where = where;
	place->locks = locks;
	atomic_store_explicit(&place->who, mine, memory_order_relaxed);
}

static void report(struct thread *me, uintptr_t granule, uint64_t mine, const struct found *found, uint32_t where,
		uint32_t locks, bool freed)
{
	unsigned both = bytes_of(mine) & bytes_of(found->who);
	unsigned first = (unsigned)__builtin_ctz(bytes_of(found->who)), second = (unsigned)__builtin_ctz(bytes_of(mine));
	struct race race = {
			.detector = "hmtrace",
			.freed = freed,
			.address = granule + (unsigned)__builtin_ctz(both),
			.size = (unsigned)__builtin_popcount(both),
			.first = {.address = granule + first,
					.size = (unsigned)__builtin_popcount(bytes_of(found->who)),
					.kind = (unsigned)found->who & KIND_MASK,
					.where = found->where,
					.locks = found->locks},
			.second = {.address = granule + second,
					.size = (unsigned)__builtin_popcount(bytes_of(mine)),
					.kind = (unsigned)mine & KIND_MASK,
					.where = where,
					.locks = locks},
	};
	thread_facts(slot_of(found->who), segment_of(found->who), &race.first.thread, &race.first.parent,
			&race.first.created);
	thread_facts(me->slot, me->segment, &race.second.thread, &race.second.parent, &race.second.created);
	report_race(me, &race);
}

static inline __attribute__((always_inline)) void one_granule(struct thread *me, uintptr_t address, unsigned bytes,
		unsigned kind, struct site site, bool kept)
{
	struct granule *granule = shadow_of(address);
	if (granule == NULL)
		return;
	uint64_t mine = pack(me->segment, me->slot, bytes, kind);
	if (kept && is_known(granule, mine)) {
		tags_grant(me, address, bytes, kind);
		return;
	}
	uint32_t where = stack_of(me, site.pc, site.sp), locks = lockset_of(me);
	shadow_lock(address);
	struct found found[CELLS];
	unsigned count = look(me, granule, mine, locks, found);
	if (kept) {
		keep(me, granule, mine, where, locks);
		tags_revoke(address);
	}
	shadow_unlock(address);
	for (unsigned i = 0; i < count; i++)
		report(me, address & ~(uintptr_t)(GRANULE - 1), mine, &found[i], where, locks, !kept);
}

static inline __attribute__((always_inline)) void each_granule(struct thread *me, uintptr_t address, size_t size,
		unsigned kind, struct site site, bool kept)
{
	unsigned from = address % GRANULE;
	if (__builtin_expect(from + size <= GRANULE, 1)) {
		one_granule(me, address, (ALL_BYTES >> (GRANULE - size)) << from, kind, site, kept);
		return;
	}
	uintptr_t end = address + size;
	while (address < end) {
		from = address % GRANULE;
		size_t part = GRANULE - from < end - address ? GRANULE - from : end - address;
		one_granule(me, address, (ALL_BYTES >> (GRANULE - part)) << from, kind, site, kept);
		address += part;
	}
}

void hmtrace_access(struct thread *me, uintptr_t address, size_t size, unsigned kind, struct site site)
{
	each_granule(me, address, size, kind, site, true);
}

void hmtrace_free(struct thread *me, uintptr_t address, size_t size, struct site site)
{
	each_granule(me, address, size, ACCESS_WRITE, site, false);
}
