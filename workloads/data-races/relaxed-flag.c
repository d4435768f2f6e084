/* SPDX-License-Identifier: Apache-2.0 */
/* A flag that says that data are ready: relaxed, it orders nothing. */
#include "turns.h"

int data;
atomic_int ready;

#ifdef CORRECT
#define SET memory_order_release
#define SEE memory_order_acquire
#else
#define SET memory_order_relaxed
#define SEE memory_order_relaxed
#endif

static void *producer(void *unused)
{
	data = 42; /* race 1 hmtrace */
	atomic_store_explicit(&ready, 1, SET);
	return unused;
}

static void *consumer(void *unused)
{
	while (atomic_load_explicit(&ready, SEE) == 0)
		sched_yield();
	data = data + 1; /* race 1 hmtrace */
	return unused;
}

int main(void)
{
	two(producer, consumer);
	return data == 43 ? 0 : 1;
}
