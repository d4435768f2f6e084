/* SPDX-License-Identifier: Apache-2.0 */
/* One thread fills a ring, another one empties it; its indices order the slots, or do not. */
#include "turns.h"

#define SLOTS 4
#define ITEMS 64
#ifdef CORRECT
#define PUBLISH memory_order_release
#else
#define PUBLISH memory_order_relaxed
#endif

static struct {
	long item;
} __attribute__((aligned(16))) ring[SLOTS];
static atomic_int written, taken;
long sum;

static void *producer(void *unused)
{
	for (int i = 0; i < ITEMS; i++) {
		while (i - atomic_load_explicit(&taken, memory_order_acquire) >= SLOTS)
			sched_yield();
		ring[i % SLOTS].item = i; /* race 1 hmtrace */
		atomic_store_explicit(&written, i + 1, PUBLISH);
	}
	return unused;
}

static void *consumer(void *unused)
{
	for (int i = 0; i < ITEMS; i++) {
		while (atomic_load_explicit(&written, memory_order_acquire) <= i)
			sched_yield();
		sum += ring[i % SLOTS].item; /* race 1 hmtrace */
		atomic_store_explicit(&taken, i + 1, memory_order_release);
	}
	return unused;
}

int main(void)
{
	two(producer, consumer);
	return sum < 0;
}
