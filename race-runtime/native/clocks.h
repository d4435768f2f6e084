/* SPDX-License-Identifier: Apache-2.0 */
/* Vector clocks: for each thread's slot, the last of its segments that happened before. */
#ifndef RACE_CLOCKS_H
#define RACE_CLOCKS_H

#include <stdint.h>

struct clock {
	uint32_t capacity;
	uint32_t *segments;
};

static inline uint32_t clock_get(const struct clock *clock, unsigned slot)
{
	return slot < clock->capacity ? clock->segments[slot] : 0;
}

void clock_set(struct clock *clock, unsigned slot, uint32_t segment);
/* Everything that happened before other happened before clock too. */
void clock_join(struct clock *clock, const struct clock *other);
void clock_copy(struct clock *clock, const struct clock *other);
void clock_free(struct clock *clock);

#endif
