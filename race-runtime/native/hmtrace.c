/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HMTRace in software. The paper's tag of a granule is the thread that has it; here a granule keeps up to four tags with
 * the bytes that each of them claimed, so that neighbours in one granule are told apart (pure tag matching takes them
 * for a race). A tag that happened before the access matches, as it does in the paper when a thread's tags pass on to its
 * parent (section 4.1, segments). A tag that does not match is a race when the lockset analysis is inconclusive
 * (equation 10).
 */
#include "detector.h"

#include "cells.h"
#include "known.h"
#include "locksets.h"
#include "report.h"
#include "shadow.h"
#include "stacks.h"
#include "tags.h"

const cells cells_lowest[1u << CELLS] = {{0}, {-1u}, {0, -1u}, {-1u}, {0, 0, -1u}, {-1u}, {0, -1u}, {-1u},
		{0, 0, 0, -1u}, {-1u}, {0, -1u}, {-1u}, {0, 0, -1u}, {-1u}, {0, -1u}, {-1u}};

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
static bool is_handed_over(const struct thread *me, uint64_t who, uint32_t others, uint32_t locks)
{
	return is_ordered(me, who) || (is_pure && is_locked(others, locks));
}

/* An access that this one races with. */
struct found {
	uint64_t who;
	struct details details;
};

/* An access that is to be compared with those before it. */
struct look {
	struct thread *me;
	uint64_t mine;
	struct details details;
	unsigned count; /* of races */
	struct found found[CELLS];
};

static inline uint64_t who_in(const struct granule *granule, unsigned cell)
{
	return (uint64_t)granule->segments[cell] << 32 | granule->uses[cell];
}

/* What a granule holds, as bits of its cells. */
struct survey {
	unsigned empty;
	unsigned known; /* of the same segment, and the present access adds nothing to it */
	unsigned covered; /* the present access races with all that this one would race with */
	unsigned foreign; /* of other threads */
};

static inline __attribute__((always_inline)) struct survey survey(const struct granule *granule, uint64_t mine)
{
	const uint32_t use = (uint32_t)mine, slot = ~(uint32_t)0 << SLOT_SHIFT;
	const uint32_t strength = ALL_BYTES << MASK_SHIFT | ACCESS_WRITE;
	/*
	 * Where a cell and the present access may not differ, if whatever races with one is to race with the other, too:
	 * the one has all the other's bytes, writes if that writes, and is atomic only if that is.
	 */
	const uint32_t to_know = slot | (use & strength) | (~use & ACCESS_ATOMIC);
	const uint32_t to_cover = (~use & strength) | (use & ACCESS_ATOMIC);
	cells uses = granule->uses, differ = uses ^ use;
	struct survey found = {.empty = zeros(uses), .covered = zeros(differ & to_cover)};
	found.known = zeros((differ & to_know) | (granule->segments ^ (uint32_t)(mine >> 32)));
	found.foreign = ~(found.empty | zeros(differ & slot)) & ((1u << CELLS) - 1);
	return found;
}

/* Adds the races with other threads' accesses. What is ordered or handed over may leave its cell to the present access. */
static void compare(struct look *look, const struct granule *granule, struct survey *found)
{
	for (unsigned i = 0; i < CELLS; i++) {
		if ((found->foreign & 1u << i) == 0)
			continue;
		uint64_t who = who_in(granule, i);
		const struct details *details = &granule->details[i];
		if (conflict(who, look->mine) && !is_ordered(look->me, who) && !is_locked(details->locks, look->details.locks))
			look->found[look->count++] = (struct found){who, *details};
		if (!is_handed_over(look->me, who, details->locks, look->details.locks))
			found->covered &= ~(1u << i);
	}
}

/* In the first cell that is empty or covered; other covered ones are emptied. If there is none, one is given up. */
static inline __attribute__((always_inline)) void keep(struct thread *me, const struct shadow *shadow, uint64_t mine,
		struct details details, unsigned empty, unsigned covered)
{
	struct granule *granule = shadow->granule;
	unsigned possible = empty | covered, place;
	if (__builtin_expect(possible == 0, 0)) {
		place = me->turn++ % CELLS;
		for (unsigned word = 0; word < GRANULE / WORD; word++)
			shadow_set_word(&shadow->words[word], 0);
	} else {
		place = (unsigned)__builtin_ctz(possible);
	}
	granule->details[place] = details;
	granule->segments[place] = (uint32_t)(mine >> 32);
	granule->uses[place] = (uint32_t)mine;
	for (unsigned rest = covered & ~empty & ~(1u << place); rest != 0; rest &= rest - 1)
		granule->uses[__builtin_ctz(rest)] = 0;
}

/* The granule's cells now hold the present access. */
static inline __attribute__((always_inline)) void grant(const struct thread *me, const struct shadow *shadow,
		unsigned bytes, unsigned kind)
{
	if ((kind & ACCESS_ATOMIC) != 0)
		return;
	uint64_t mine = known_tag(me->slot, me->segment);
	for (unsigned word = 0; word < GRANULE / WORD; word++, bytes >>= WORD) {
		uint64_t used = bytes & ((1u << WORD) - 1);
		if (used == 0)
			continue;
		uint64_t tag = atomic_load_explicit(&shadow->words[word], memory_order_relaxed) & ~SHADOW_LOCKED;
		if ((tag ^ mine) > KNOWN_ALL)
			tag = mine;
		shadow_set_word(&shadow->words[word], tag | used << KNOWN_USED | (kind == ACCESS_WRITE ? used : 0));
	}
}

static inline __attribute__((always_inline)) bool is_granted(const struct thread *me, const struct shadow *shadow,
		unsigned bytes, unsigned kind)
{
	uint64_t mine = known_tag(me->slot, me->segment) | KNOWN_ALL;
	if ((kind & ACCESS_ATOMIC) != 0)
		return false;
	for (unsigned word = 0; word < GRANULE / WORD; word++, bytes >>= WORD) {
		unsigned used = bytes & ((1u << WORD) - 1);
		if (used != 0 &&
				!known_fits(atomic_load_explicit(&shadow->words[word], memory_order_relaxed), mine, used,
						kind == ACCESS_WRITE))
			return false;
	}
	return true;
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
					.where = found->details.where,
					.locks = found->details.locks},
			.second = {.address = granule + second,
					.size = (unsigned)__builtin_popcount(bytes_of(mine)),
					.kind = (unsigned)mine & KIND_MASK,
					.where = look->details.where,
					.locks = look->details.locks},
	};
	thread_facts(slot_of(found->who), segment_of(found->who), &race.first.thread, &race.first.parent,
			&race.first.created);
	thread_facts(me->slot, me->segment, &race.second.thread, &race.second.parent, &race.second.created);
	report_race(me, &race);
}

static void report_all(const struct look *look, uintptr_t address, bool freed)
{
	for (unsigned i = 0; i < look->count; i++)
		report(look, address & ~(uintptr_t)(GRANULE - 1), &look->found[i], freed);
}

/* The present access to a granule that other threads used, too; or memory is given back. */
static __attribute__((noinline)) void beside_others(struct thread *me, struct shadow shadow, uintptr_t address,
		unsigned bytes, unsigned kind, struct site site, bool kept, bool owner, struct survey found)
{
	struct look look; /* what it found is not set: it would be the most expensive line here */
	look.me = me;
	look.mine = pack(me->segment, me->slot, bytes, kind);
	look.count = 0;
	if (!kept || found.known == 0) {
		look.details = (struct details){stack_of(me, site.pc, site.sp), lockset_of(me)};
		compare(&look, shadow.granule, &found);
	}
	if (kept && look.count > 0) {
		/* Before it is kept: a handler may jump out of this, and what is kept is not compared again. */
		shadow_give(me, &shadow, owner);
		report_all(&look, address, false);
		owner = shadow_take(me, &shadow, address);
		found = survey(shadow.granule, look.mine);
		look.count = 0;
		compare(&look, shadow.granule, &found);
	}
	if (kept && found.known == 0) {
		keep(me, &shadow, look.mine, look.details, found.empty, found.covered);
		tags_revoke(address);
	} else if (kept) {
		tags_grant(me, address, bytes, kind);
	}
	if (kept)
		grant(me, &shadow, bytes, kind);
	shadow_give(me, &shadow, owner);
	report_all(&look, address, !kept);
}

/* Whether all accesses to a granule happened before. */
static inline bool is_ordered_granule(const struct thread *me, const struct granule *granule)
{
	for (unsigned i = 0; i < CELLS; i++)
		if (granule->uses[i] != 0 && !is_ordered(me, who_in(granule, i)))
			return false;
	return true;
}

static inline __attribute__((always_inline)) void one_granule(struct thread *me, uintptr_t address, unsigned bytes,
		unsigned kind, struct site site, bool kept)
{
	struct shadow shadow;
	if (!shadow_of(address, &shadow))
		return;
	if (kept && is_granted(me, &shadow, bytes, kind)) {
		tags_grant(me, address, bytes, kind);
		return;
	}
	uint64_t mine = pack(me->segment, me->slot, bytes, kind);
	/* Another thread that comes to the block at this moment may be seen or not, with a lock as well. */
	if (!kept && is_ordered_granule(me, shadow.granule))
		return;
	bool owner = shadow_take(me, &shadow, address);
	struct survey found = survey(shadow.granule, mine);
	if (__builtin_expect(kept && found.foreign == 0, 1)) {
		if (found.known == 0) {
			struct details details = {stack_of(me, site.pc, site.sp), lockset_of(me)};
			keep(me, &shadow, mine, details, found.empty, found.covered);
			tags_revoke(address);
		} else {
			tags_grant(me, address, bytes, kind);
		}
		grant(me, &shadow, bytes, kind);
		shadow_give(me, &shadow, owner);
		return;
	}
	beside_others(me, shadow, address, bytes, kind, site, kept, owner, found);
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

/*
 * Whether none of the other threads' accesses to a granule is a race with this one, as far as can be told by order alone.
 * Those that are not ordered before it keep their cells.
 */
static inline __attribute__((always_inline)) bool is_quiet(const struct thread *me, const struct granule *granule,
		uint64_t mine, struct survey *found)
{
	for (unsigned rest = found->foreign; rest != 0; rest &= rest - 1) {
		unsigned cell = (unsigned)__builtin_ctz(rest);
		uint64_t who = who_in(granule, cell);
		if (segment_of(who) <= clock_get(&me->clock, slot_of(who)))
			continue;
		if (conflict(who, mine))
			return false;
		found->covered &= ~(1u << cell);
	}
	return !is_pure;
}

/* The word of an access that hooks did not find to be known, whose chunk has its tags at this base. */
static inline __attribute__((always_inline)) bool word(uintptr_t address, uintptr_t base, size_t size, unsigned kind,
		struct site site)
{
	struct thread *me = self;
	if (me == NULL || (me->inside | me->hook) != 0 || base == 0 || (size > 1 && address % WORD + size > WORD))
		return false;
	hook_begin(me, site.sp);
	struct shadow shadow = shadow_in(base, address);
	uint64_t mine = pack(me->segment, me->slot, ((1u << size) - 1) << address % GRANULE, kind);
	/* Before the granule is taken: meanwhile its cache lines come. */
	struct details details = {stack_of(me, site.pc, site.sp), lockset_of(me)};
	bool owner = shadow_take(me, &shadow, address);
	struct survey found = survey(shadow.granule, mine), quiet = found;
	if (__builtin_expect(found.foreign != 0 && !is_quiet(me, shadow.granule, mine, &quiet), 0)) {
		beside_others(me, shadow, address, bytes_of(mine), kind, site, true, owner, found);
		hook_end(me);
		return true;
	}
	if (found.known == 0)
		keep(me, &shadow, mine, details, quiet.empty, quiet.covered);
	_Atomic uint64_t *tag = &shadow.words[address % GRANULE / WORD];
	shadow_set_word(tag, known_more(me, tag, address, size, kind == ACCESS_WRITE));
	shadow_give(me, &shadow, owner);
	hook_end(me);
	return true;
}

#define UNKNOWN(size) \
	bool hmtrace_unknown_read##size(uintptr_t address, uintptr_t base, struct site site) \
	{ \
		return word(address, base, size, ACCESS_READ, site); \
	} \
	bool hmtrace_unknown_write##size(uintptr_t address, uintptr_t base, struct site site) \
	{ \
		return word(address, base, size, ACCESS_WRITE, site); \
	}

UNKNOWN(1)
UNKNOWN(2)
UNKNOWN(4)
UNKNOWN(8)

void hmtrace_access(struct thread *me, uintptr_t address, size_t size, unsigned kind, struct site site)
{
	each_granule(me, address, size, kind, site, true);
}

void hmtrace_free(struct thread *me, uintptr_t address, size_t size, struct site site)
{
	each_granule(me, address, size, ACCESS_WRITE, site, false);
}

void hmtrace_forget(struct thread *me, uintptr_t address, size_t size)
{
	struct shadow shadow;
	if (!shadow_of(address, &shadow))
		return;
	uint32_t bytes = (ALL_BYTES >> (GRANULE - size)) << address % GRANULE << MASK_SHIFT;
	bool owner = shadow_take(me, &shadow, address);
	for (unsigned i = 0; i < CELLS; i++) {
		shadow.granule->uses[i] &= ~bytes;
		if (bytes_of(shadow.granule->uses[i]) == 0)
			shadow.granule->uses[i] = 0;
	}
	for (unsigned word = 0; word < GRANULE / WORD; word++)
		shadow_set_word(&shadow.words[word], 0);
	shadow_give(me, &shadow, owner);
}
