/* SPDX-License-Identifier: Apache-2.0 */
#include "locksets.h"

#include "pages.h"
#include "spin.h"

#include <stdatomic.h>
#include <string.h>

#define SETS (1u << 18)
#define HEADS 4096

struct member {
	uintptr_t lock;
	enum lock_mode mode;
};

struct set {
	uint32_t next;
	uint32_t size;
	struct member *members; /* sorted by lock */
};

static struct set *sets;
static _Atomic uint32_t heads[HEADS];
static uint32_t count = 1;
static struct lone_spin lock;

void locksets_start(void)
{
	sets = pages_reserve(SETS * sizeof *sets);
}

static struct held *find(struct thread *me, uintptr_t address)
{
	for (unsigned i = me->held_count; i > 0; i--)
		if (me->held[i - 1].lock == address)
			return &me->held[i - 1];
	return NULL;
}

void lock_acquired(struct thread *me, const void *address, enum lock_mode mode, uint32_t where)
{
	struct held *held = find(me, (uintptr_t)address);
	if (held != NULL) {
		held->times++;
		return;
	}
	if (me->held_count == MOST_LOCKS)
		return;
	me->held[me->held_count++] = (struct held){.lock = (uintptr_t)address, .mode = mode, .times = 1, .where = where};
	me->lockset_stale = true;
}

unsigned lock_released(struct thread *me, const void *address)
{
	struct held *held = find(me, (uintptr_t)address);
	if (held == NULL || --held->times > 0)
		return 0;
	unsigned mode = held->mode;
	struct held *end = &me->held[me->held_count--];
	memmove(held, held + 1, (size_t)((char *)end - (char *)(held + 1)));
	me->lockset_stale = true;
	return mode;
}

static uint32_t search(uint32_t found, const struct member *members, uint32_t size)
{
	while (found != 0 &&
			(sets[found].size != size || memcmp(sets[found].members, members, size * sizeof *members) != 0))
		found = sets[found].next;
	return found;
}

/* Sets that exist do not change, so that only a new one needs the lock. */
static uint32_t intern(const struct member *members, uint32_t size)
{
	uint64_t mixed = size;
	for (uint32_t i = 0; i < size; i++)
		mixed = (mixed ^ members[i].lock ^ (uint64_t)members[i].mode << 60) * 0x9e3779b97f4a7c15u;
	_Atomic uint32_t *head = &heads[(mixed >> 40) % HEADS];
	uint32_t found = search(atomic_load_explicit(head, memory_order_acquire), members, size);
	if (found != 0)
		return found;
	spin_lock(&lock.spin);
	uint32_t first = atomic_load_explicit(head, memory_order_relaxed);
	found = search(first, members, size);
	if (found == 0 && count < SETS) {
		found = count++;
		sets[found] = (struct set){.next = first, .size = size, .members = pages_keep(size * sizeof *members)};
		memcpy(sets[found].members, members, size * sizeof *members);
		atomic_store_explicit(head, found, memory_order_release);
	}
	spin_unlock(&lock.spin);
	return found;
}

static uint32_t set_of_many(const struct thread *me)
{
	struct member members[MOST_LOCKS];
	memset(members, 0, me->held_count * sizeof *members); /* padding is compared too */
	for (unsigned i = 0; i < me->held_count; i++) {
		unsigned place = i;
		for (; place > 0 && members[place - 1].lock > me->held[i].lock; place--)
			members[place] = members[place - 1];
		members[place].lock = me->held[i].lock;
		members[place].mode = me->held[i].mode;
	}
	return intern(members, me->held_count);
}

/* All threads share the sets, so it is cheaper to remember some. */
static uint32_t set_of_one(struct thread *me)
{
	const struct held *held = &me->held[0];
	struct lone_lock *known = &me->lone_locks[(held->lock ^ held->lock >> 10) / sizeof(void *) % LONE_LOCKS];
	if (known->set == LOCKSET_NONE || known->lock != held->lock || known->mode != held->mode)
		*known = (struct lone_lock){held->lock, held->mode, set_of_many(me)};
	return known->set;
}

uint32_t lockset_renew(struct thread *me)
{
	if (me->held_count == 0)
		me->lockset = LOCKSET_NONE;
	else
		me->lockset = me->held_count == 1 ? set_of_one(me) : set_of_many(me);
	me->lockset_stale = false;
	return me->lockset;
}

enum lockset_state lockset_compare(uint32_t one, uint32_t other)
{
	const struct set *left = &sets[one], *right = &sets[other];
	enum lockset_state state = LOCKSET_INCONCLUSIVE;
	for (uint32_t i = 0, j = 0; i < left->size && j < right->size;) {
		const struct member *a = &left->members[i], *b = &right->members[j];
		if (a->lock == b->lock) {
			if (a->mode == LOCK_EXCLUSIVE || b->mode == LOCK_EXCLUSIVE)
				return LOCKSET_EXCLUSIVE;
			state = LOCKSET_SHARED;
		}
		if (a->lock <= b->lock)
			i++;
		else
			j++;
	}
	return state;
}

unsigned lockset_size(uint32_t set)
{
	return sets[set].size;
}

uintptr_t lockset_lock(uint32_t set, unsigned index, enum lock_mode *mode)
{
	*mode = sets[set].members[index].mode;
	return sets[set].members[index].lock;
}

void locksets_after_fork(void)
{
	spin_unlock(&lock.spin);
}
