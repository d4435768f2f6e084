/* SPDX-License-Identifier: Apache-2.0 */
#include "syncs.h"

#include "detector.h"
#include "pages.h"
#include "spin.h"
#include "threads.h"

#include <string.h>

#define BUCKETS 16384

struct bucket {
	struct spin lock;
	struct sync *first;
};

static struct bucket *buckets;

void syncs_start(void)
{
	buckets = pages_keep(BUCKETS * sizeof *buckets);
}

static struct bucket *bucket_of(uintptr_t address)
{
	uint64_t mixed = address * 0x9e3779b97f4a7c15u;
	return &buckets[(mixed >> 40) % BUCKETS];
}

struct sync *sync_open(uintptr_t address, bool create)
{
	struct bucket *bucket = bucket_of(address);
	spin_lock(&bucket->lock);
	for (struct sync *sync = bucket->first; sync != NULL; sync = sync->next)
		if (sync->address == address)
			return sync;
	if (!create) {
		spin_unlock(&bucket->lock);
		return NULL;
	}
	struct sync *sync = pages_take(sizeof *sync);
	sync->address = address;
	sync->next = bucket->first;
	bucket->first = sync;
	return sync;
}

void sync_close(uintptr_t address)
{
	spin_unlock(&bucket_of(address)->lock);
}

void sync_join(struct thread *me, const void *object)
{
	struct sync *sync = sync_open((uintptr_t)object, false);
	if (sync == NULL)
		return;
	clock_join(&me->clock, &sync->clock);
	sync_close((uintptr_t)object);
}

void sync_acquire(struct thread *me, const void *object)
{
	if (!is_pure)
		sync_join(me, object);
}

void sync_acquire_exclusive(struct thread *me, const void *object)
{
	struct sync *sync = is_pure ? NULL : sync_open((uintptr_t)object, false);
	if (sync == NULL)
		return;
	clock_join(&me->clock, &sync->clock);
	clock_join(&me->clock, &sync->readers);
	sync_close((uintptr_t)object);
}

void sync_release(struct thread *me, const void *object)
{
	struct sync *sync = sync_open((uintptr_t)object, true);
	clock_join(&sync->clock, &me->clock);
	sync_close((uintptr_t)object);
	thread_next_segment(me);
}

void sync_release_only(struct thread *me, const void *object)
{
	struct sync *sync = sync_open((uintptr_t)object, true);
	clock_copy(&sync->clock, &me->clock);
	clock_copy(&sync->readers, &(struct clock){0});
	sync_close((uintptr_t)object);
	thread_next_segment(me);
}

void sync_release_shared(struct thread *me, const void *object)
{
	struct sync *sync = sync_open((uintptr_t)object, true);
	clock_join(&sync->readers, &me->clock);
	sync_close((uintptr_t)object);
	thread_next_segment(me);
}

void sync_forget(const void *object)
{
	struct bucket *bucket = bucket_of((uintptr_t)object);
	spin_lock(&bucket->lock);
	for (struct sync **place = &bucket->first; *place != NULL; place = &(*place)->next) {
		struct sync *sync = *place;
		if (sync->address != (uintptr_t)object)
			continue;
		*place = sync->next;
		clock_free(&sync->clock);
		clock_free(&sync->readers);
		pages_give(sync, sizeof *sync);
		break;
	}
	spin_unlock(&bucket->lock);
}

void syncs_after_fork(void)
{
	for (unsigned i = 0; i < BUCKETS; i++)
		spin_unlock(&buckets[i].lock);
}
