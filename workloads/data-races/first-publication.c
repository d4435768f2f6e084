/* SPDX-License-Identifier: Apache-2.0 */
/* Each flag is set once, while the other thread waits for it: the first release of many objects. */
#include "turns.h"

#define BOXES 2000

#ifdef CORRECT
#define PUBLISH memory_order_release
#else
#define PUBLISH memory_order_relaxed
#endif

static struct box {
	int value;
	atomic_int ready;
	long apart[6];
} boxes[BOXES];
long sum;

static void *maker(void *unused)
{
	for (int i = 0; i < BOXES; i++) {
		boxes[i].value = i; /* race 1 hmtrace */
		atomic_store_explicit(&boxes[i].ready, 1, PUBLISH);
	}
	return unused;
}

static void *user(void *unused)
{
	for (int i = 0; i < BOXES; i++) {
		while (atomic_load_explicit(&boxes[i].ready, memory_order_acquire) == 0)
			sched_yield();
		sum += boxes[i].value; /* race 1 hmtrace */
	}
	return unused;
}

int main(void)
{
	two(maker, user);
	return 0;
}
