/* SPDX-License-Identifier: Apache-2.0 */
/* Relaxed operations between fences order what is outside; without the second fence they do not. */
#include "turns.h"

int data;
atomic_int ready;

static void *producer(void *unused)
{
	data = 42; /* race 1 hmtrace */
	atomic_thread_fence(memory_order_release);
	atomic_store_explicit(&ready, 1, memory_order_relaxed);
	return unused;
}

static void *consumer(void *unused)
{
	while (atomic_load_explicit(&ready, memory_order_relaxed) == 0)
		sched_yield();
#ifdef CORRECT
	atomic_thread_fence(memory_order_acquire);
#endif
	data = data + 1; /* race 1 hmtrace */
	return unused;
}

int main(void)
{
	two(producer, consumer);
	return data == 43 ? 0 : 1;
}
