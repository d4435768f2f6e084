/* SPDX-License-Identifier: Apache-2.0 */
#include "threads.h"

#include "noise.h"
#include "keys.h"
#include "pages.h"
#include "cells.h"
#include "known.h"
#include "shadow.h"
#include "spin.h"
#include "stacks.h"
#include "tags.h"

#include <sched.h>
#include <string.h>

#define TRIES 1000 /* then a thread that waits for a granule does not have it */
#define FRESH_SLOTS 256 /* given out before one is used again */
#define FACTS 4096

__thread struct thread *self;
atomic_bool several;

struct facts {
	uint32_t slot;
	uint32_t first_segment;
	uint32_t number;
	uint32_t parent;
	uint32_t created;
	struct facts *before; /* of the same slot */
};

static struct lone_spin lock;
static struct thread *all;
static struct thread *main_thread;
static struct thread *unused_first, *unused_last; /* their slots can be used again, in this order */
static struct facts *facts_of[SLOTS];
static struct thread *by_slot[SLOTS];
static unsigned slots, numbers, unused_count;
static unsigned running; /* not known to have happened before the main thread's present */
static bool owned; /* pages may have owners now */

static void set_several(bool value)
{
	atomic_store(&several, value);
	owned = value && with_known && shadow_owned;
	for (struct thread *thread = all; thread != NULL; thread = thread->next)
		thread->unowned = !owned;
}

static void note_facts(struct thread *thread)
{
	struct facts *facts = pages_keep(sizeof *facts);
	*facts = (struct facts){thread->slot, thread->segment, thread->number, thread->parent, thread->created,
			facts_of[thread->slot]};
	facts_of[thread->slot] = facts;
}

static struct thread *obtain(void)
{
	struct thread *thread = unused_first;
	if (thread != NULL && (unused_count >= FRESH_SLOTS || slots >= SLOTS)) {
		unused_first = thread->next;
		unused_count--;
		if (unused_first == NULL)
			unused_last = NULL;
		return thread;
	}
	if (slots >= SLOTS)
		return NULL;
	thread = pages_keep(sizeof *thread);
	thread->frames = pages_reserve((MOST_FRAMES + 1) * sizeof *thread->frames);
	thread->cache = pages_keep(STACK_CACHE * sizeof *thread->cache);
	thread->slot = slots++;
	thread->owns = (uint16_t)(thread->slot + 1);
	thread->use = thread->slot << SLOT_SHIFT;
	by_slot[thread->slot] = thread;
	return thread;
}

static void forget(struct thread *thread)
{
	for (struct thread **place = &all; *place != NULL; place = &(*place)->next)
		if (*place == thread) {
			*place = thread->next;
			break;
		}
	thread->next = NULL;
	if (unused_last != NULL)
		unused_last->next = thread;
	else
		unused_first = thread;
	unused_last = thread;
	unused_count++;
}

struct thread *thread_new(struct thread *parent, uint32_t created)
{
	spin_lock(&lock.spin);
	struct thread *thread = obtain();
	if (thread == NULL) {
		spin_unlock(&lock.spin);
		return NULL;
	}
	thread->number = numbers++;
	thread->parent = parent != NULL ? parent->number : 0;
	thread->created = created;
	thread->segment++;
	thread->top = thread->frames;
	thread->beyond = 0;
	thread->held_count = 0;
	thread->lockset_stale = true;
	thread->inside = 0;
	thread->hook = 0;
	thread->taken = NULL;
	thread->wanted = NULL;
	thread->sharing = NULL;
	thread->unowned = !owned;
	thread->detached = thread->finished = false;
	thread->has_acquired = thread->has_released = false;
	thread->endings = 0;
	noise_begin(thread);
	thread->gates = 0;
	keys_section(thread);
	note_facts(thread);
	thread->next = all;
	all = thread;
	running++;
	if (running > 1)
		set_several(true);
	if (parent != NULL)
		clock_copy(&thread->clock, &parent->clock);
	clock_set(&thread->clock, thread->slot, thread->segment);
	spin_unlock(&lock.spin);
	return thread;
}

static void one_less(void)
{
	running--;
	if (running <= 1)
		set_several(false);
}

void thread_never(struct thread *thread)
{
	spin_lock(&lock.spin);
	forget(thread);
	one_less();
	spin_unlock(&lock.spin);
}

static void find_stack(struct thread *thread)
{
	pthread_attr_t attributes;
	void *low;
	size_t size;
	if (pthread_getattr_np(pthread_self(), &attributes) != 0)
		return;
	if (pthread_attr_getstack(&attributes, &low, &size) == 0) {
		thread->stack_low = (uintptr_t)low;
		thread->stack_high = thread->stack_low + size;
	}
	pthread_attr_destroy(&attributes);
}

void thread_begin(struct thread *thread)
{
	self = thread;
	thread->inside++;
	thread->handle = pthread_self();
	find_stack(thread);
	known_next_segment(thread);
	tags_thread_begin(thread);
	keys_thread_begin(thread);
	if (thread != main_thread)
		/* An earlier thread may have had the same stack. */
		shadow_clear_stack(thread->stack_low, thread->stack_high);
	thread->inside--;
}

void threads_start(void)
{
	main_thread = thread_new(NULL, STACK_NONE);
	thread_begin(main_thread);
}

void thread_end(struct thread *thread)
{
	thread->inside++;
	atomic_store_explicit(&thread->busy, 0, memory_order_release);
	tags_thread_end(thread);
	keys_thread_end(thread);
	pages_thread_end();
	spin_lock(&lock.spin);
	thread->finished = true;
	self = NULL;
	if (thread->detached)
		forget(thread);
	spin_unlock(&lock.spin);
}

void thread_created(struct thread *thread, pthread_t handle, bool detached)
{
	spin_lock(&lock.spin);
	thread->handle = handle;
	if (detached)
		thread->detached = true;
	spin_unlock(&lock.spin);
}

struct thread *thread_of(pthread_t handle)
{
	struct thread *found = NULL;
	spin_lock(&lock.spin);
	for (struct thread *thread = all; thread != NULL && found == NULL; thread = thread->next)
		if (thread->handle == handle && !thread->detached)
			found = thread;
	spin_unlock(&lock.spin);
	return found;
}

void thread_detached(struct thread *thread)
{
	spin_lock(&lock.spin);
	if (!thread->detached && thread->finished)
		forget(thread);
	thread->detached = true;
	spin_unlock(&lock.spin);
}

void thread_joined(struct thread *me, struct thread *thread)
{
	if (me != NULL)
		clock_join(&me->clock, &thread->clock);
	spin_lock(&lock.spin);
	forget(thread);
	one_less();
	spin_unlock(&lock.spin);
}

void thread_facts(unsigned slot, uint32_t segment, uint32_t *number, uint32_t *parent, uint32_t *created)
{
	struct facts *facts = facts_of[slot];
	while (facts->before != NULL && facts->first_segment > segment)
		facts = facts->before;
	*number = facts->number;
	*parent = facts->parent;
	*created = facts->created;
}

struct thread *thread_in(unsigned slot)
{
	return by_slot[slot];
}

long thread_with_stack(uintptr_t address)
{
	long number = -1;
	spin_lock(&lock.spin);
	for (struct thread *thread = all; thread != NULL; thread = thread->next)
		if (address >= thread->stack_low && address < thread->stack_high)
			number = thread->number;
	spin_unlock(&lock.spin);
	return number;
}

void threads_after_fork(struct thread *me)
{
	spin_unlock(&lock.spin);
	/* All that the others did happened before; they do not exist here. */
	struct thread *next;
	for (struct thread *thread = all; thread != NULL; thread = next) {
		next = thread->next;
		if (thread == me)
			continue;
		if (me != NULL && thread->segment > clock_get(&me->clock, thread->slot))
			clock_set(&me->clock, thread->slot, thread->segment);
		thread->segment++;
		atomic_store(&thread->busy, 0);
		shadow_end_of(thread, me);
		forget(thread);
	}
	running = 1;
	set_several(false);
}

enum wish { NOBODY_WANTS, SOMEBODY_WANTS, SOMEBODY_HAS };

static enum wish others_at(const struct thread *me, const _Atomic uint64_t *word)
{
	enum wish found = NOBODY_WANTS;
	spin_lock(&lock.spin);
	for (const struct thread *thread = all; thread != NULL; thread = thread->next) {
		if (thread != me && thread->taken == word)
			found = SOMEBODY_HAS;
		else if (thread != me && thread->wanted == word && found == NOBODY_WANTS)
			found = SOMEBODY_WANTS;
	}
	spin_unlock(&lock.spin);
	return found;
}

/*
 * Whether a thread that was interrupted as it was about to lock a granule, or to give it back, has it. Others that want it
 * wait for this one then, and none of them says that it has it.
 */
static bool holds(const struct thread *me, _Atomic uint64_t *word)
{
	for (unsigned tries = 0; (atomic_load(word) & SHADOW_LOCKED) != 0; tries++) {
		enum wish others = others_at(me, word);
		if (others != SOMEBODY_WANTS || tries > TRIES)
			return others != SOMEBODY_HAS;
		sched_yield();
	}
	return false;
}

void thread_jumps(struct thread *me, uintptr_t sp)
{
	tags_jump();
	if (me->hook == 0 || sp < me->hook)
		return;
	_Atomic uint64_t *word = me->wanted;
	if (word != NULL && (me->taken == word || holds(me, word)))
		atomic_fetch_and(word, ~SHADOW_LOCKED);
	me->taken = me->wanted = NULL;
	atomic_store_explicit(&me->busy, 0, memory_order_release);
	hook_end(me);
}

void thread_next_segment(struct thread *me)
{
	tags_revoke_all(me);
	me->segment++;
	known_next_segment(me);
	me->clock.segments[me->slot] = me->segment;
}
