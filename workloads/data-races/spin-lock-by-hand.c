/* SPDX-License-Identifier: Apache-2.0 */
/* A spin lock of the program's own, given back with or without an order. */
#include "turns.h"

#ifdef CORRECT
#define GIVE_BACK memory_order_release
#else
#define GIVE_BACK memory_order_relaxed
#endif

static atomic_int lock;
int total;

static void *add(void *unused)
{
	while (atomic_exchange_explicit(&lock, 1, memory_order_acquire) != 0)
		sched_yield();
	total++; /* race 1 hmtrace */
	atomic_store_explicit(&lock, 0, GIVE_BACK);
	return unused;
}

int main(void)
{
	two(add, add);
	return total < 0;
}
