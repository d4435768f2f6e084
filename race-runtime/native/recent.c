/* SPDX-License-Identifier: Apache-2.0 */
#include "recent.h"

#include <string.h>

bool with_recent;

/* The low bits of a segment's number, where addresses of granules have none. */
static uint64_t key_of(uint32_t segment)
{
	uint64_t number = segment & (((uint32_t)1 << RECENT_KEY_BITS) - 1);
	return number >> RECENT_KEY_LOW << ADDRESS_BITS | (number & ((1u << RECENT_KEY_LOW) - 1));
}

static void begin(struct thread *me)
{
	memset(me->recent, 0, sizeof me->recent);
	atomic_store_explicit(&me->recent_key, key_of(me->segment), memory_order_relaxed);
}

void recent_next_segment(struct thread *me)
{
	uint64_t key = key_of(me->segment);
	if (key == 0)
		begin(me); /* an entry of long ago could have the same key */
	else
		atomic_store_explicit(&me->recent_key, key, memory_order_relaxed);
}

void recent_grant(struct thread *me, uintptr_t address, unsigned used, unsigned written)
{
	if (!with_recent)
		return;
	if (atomic_load_explicit(&me->recent_key, memory_order_relaxed) == RECENT_NEVER)
		begin(me);
	struct recent *recent = recent_of(me, address);
	uint64_t granule = (address & ~(uintptr_t)(GRANULE - 1)) ^ key_of(me->segment);
	if (recent->granule != granule)
		*recent = (struct recent){.granule = granule};
	recent->bytes |= used | (uint64_t)written << RECENT_WRITTEN;
}

void recent_forget(struct thread *me, uintptr_t address, size_t size)
{
	if (!with_recent || size == 0)
		return;
	if (size >= RECENT * GRANULE) {
		begin(me);
		return;
	}
	for (uintptr_t at = address & ~(uintptr_t)(GRANULE - 1); at < address + size; at += GRANULE)
		recent_of(me, at)->granule = 0;
}

void recent_spoil(struct thread *other)
{
	atomic_store_explicit(&other->recent_key, RECENT_NEVER, memory_order_relaxed);
}
