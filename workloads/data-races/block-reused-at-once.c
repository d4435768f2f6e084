/* SPDX-License-Identifier: Apache-2.0 */
/* A thread frees a block and gets it again at once: what it did to the old block says nothing about the new one. */
#include "turns.h"

#include <stdlib.h>

#ifdef CORRECT
#define GIVE memory_order_release
#define TAKE memory_order_acquire
#else
#define GIVE memory_order_relaxed
#define TAKE memory_order_relaxed
#endif

static _Atomic(volatile long *) given;

static void *giver(void *unused)
{
	for (int i = 0; i < 2; i++) {
		volatile long *block = malloc(sizeof *block);
		*block = i; /* race 1 hmtrace */
		if (i == 0)
			free((void *)block);
		else
			atomic_store_explicit(&given, block, GIVE);
	}
	return unused;
}

static void *taker(void *unused)
{
	volatile long *block;
	while ((block = atomic_load_explicit(&given, TAKE)) == NULL)
		sched_yield();
	*block = 3; /* race 1 hmtrace */
	return unused;
}

int main(void)
{
	two(giver, taker);
	return *given == 3 ? 0 : 1;
}
