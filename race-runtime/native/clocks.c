/* SPDX-License-Identifier: Apache-2.0 */
#include "clocks.h"

#include "pages.h"

#include <string.h>

static void grow(struct clock *clock, uint32_t least)
{
	if (least <= clock->capacity)
		return;
	uint32_t capacity = 8;
	while (capacity < least)
		capacity *= 2;
	uint32_t *segments = pages_take(capacity * sizeof *segments);
	if (clock->capacity > 0)
		memcpy(segments, clock->segments, clock->capacity * sizeof *segments);
	uint32_t *old = clock->segments;
	uint32_t old_capacity = clock->capacity;
	clock->segments = segments;
	clock->capacity = capacity;
	pages_give(old, old_capacity * sizeof *segments);
}

void clock_set(struct clock *clock, unsigned slot, uint32_t segment)
{
	grow(clock, slot + 1);
	clock->segments[slot] = segment;
}

void clock_join(struct clock *clock, const struct clock *other)
{
	grow(clock, other->capacity);
	for (uint32_t i = 0; i < other->capacity; i++)
		if (other->segments[i] > clock->segments[i])
			clock->segments[i] = other->segments[i];
}

void clock_copy(struct clock *clock, const struct clock *other)
{
	grow(clock, other->capacity);
	if (other->capacity > 0)
		memcpy(clock->segments, other->segments, other->capacity * sizeof *clock->segments);
	if (clock->capacity > other->capacity)
		memset(clock->segments + other->capacity, 0, (clock->capacity - other->capacity) * sizeof *clock->segments);
}

void clock_free(struct clock *clock)
{
	pages_give(clock->segments, clock->capacity * sizeof *clock->segments);
	clock->segments = NULL;
	clock->capacity = 0;
}
