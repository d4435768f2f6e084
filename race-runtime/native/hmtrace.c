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
#include "recent.h"
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

static bool is_same_segment(uint64_t one, uint64_t other)
{
	return (one ^ other) >> SLOT_SHIFT == 0;
}

static bool is_known(struct thread *me, struct granule *granule, uintptr_t address, uint64_t mine)
{
	unsigned used = 0, written = 0;
	bool known = false;
	for (unsigned i = 0; i < CELLS; i++) {
		uint64_t who = atomic_load_explicit(&granule->cells[i].who, memory_order_relaxed);
		if (!is_same_segment(who, mine))
			continue;
		known |= stands_for(who, mine);
		if ((who & ACCESS_ATOMIC) != 0)
			continue;
		used |= bytes_of(who);
		if ((who & ACCESS_WRITE) != 0)
			written |= bytes_of(who);
	}
	if (known)
		recent_grant(me, address, used, written);
	return known;
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

/* An access that is to be compared with those before it. */
struct look {
	struct thread *me;
	uint64_t mine;
	uint32_t where;
	uint32_t locks;
	unsigned count; /* of races */
	struct found found[CELLS];
};

/* One that is no race leaves its cell to the present one if that races with all that it would race with. */
static inline __attribute__((always_inline)) bool compare(struct look *look, const struct cell *cell, uint64_t who)
{
	if (slot_of(who) == look->me->slot)
		return stands_for(look->mine, who);
	if (conflict(who, look->mine) && !is_ordered(look->me, who) && !is_locked(cell->locks, look->locks))
		look->found[look->count++] = (struct found){who, cell->where, cell->locks};
	return stands_for(look->mine, who) && is_handed_over(look->me, cell, look->locks);
}

/* Returns a cell for the present access, and empties others that it stands for. */
static inline __attribute__((always_inline)) struct cell *compare_all(struct look *look, struct granule *granule)
{
	struct cell *place = NULL;
	for (unsigned i = 0; i < CELLS; i++) {
		struct cell *cell = &granule->cells[i];
		uint64_t who = atomic_load_explicit(&cell->who, memory_order_relaxed);
		if (who != 0) {
			if (!compare(look, cell, who))
				continue;
			if (place != NULL)
				atomic_store_explicit(&cell->who, 0, memory_order_relaxed);
		}
		place = place != NULL ? place : cell;
	}
	return place;
}

static void keep(struct look *look, struct granule *granule, struct cell *place)
{
	uint64_t given_up = 0;
	if (place == NULL) {
		place = &granule->cells[look->me->turn++ % CELLS];
		given_up = atomic_load_explicit(&place->who, memory_order_relaxed);
	}
	place->where = look->where;
	place->locks = look->locks;
	atomic_store_explicit(&place->who, look->mine, memory_order_relaxed);
	if (given_up != 0)
		recent_spoil(thread_in(slot_of(given_up)));
}

static void report(const struct look *look, uintptr_t granule, const struct found *found, bool freed)
{
	uint64_t mine = look->mine;
	struct thread *me = look->me;
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
					.where = look->where,
					.locks = look->locks},
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
	if (kept && is_known(me, granule, address, mine)) {
		tags_grant(me, address, bytes, kind);
		return;
	}
	struct look look; /* what it found is not set: it would be the most expensive line here */
	look.me = me;
	look.mine = mine;
	look.where = stack_of(me, site.pc, site.sp);
	look.locks = lockset_of(me);
	look.count = 0;
	shadow_lock(address);
	struct cell *place = compare_all(&look, granule);
	if (kept) {
		keep(&look, granule, place);
		tags_revoke(address);
	}
	shadow_unlock(address);
	if (kept && (kind & ACCESS_ATOMIC) == 0)
		recent_grant(me, address, bytes, kind == ACCESS_WRITE ? bytes : 0);
	for (unsigned i = 0; i < look.count; i++)
		report(&look, address & ~(uintptr_t)(GRANULE - 1), &look.found[i], !kept);
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
