/* SPDX-License-Identifier: Apache-2.0 */
/* A thread gives another one the address of a variable of its own. */
#include "turns.h"

static __thread int mine;
static int *_Atomic given;

static void *owner(void *unused)
{
	atomic_store_explicit(&given, &mine, memory_order_release);
	turn(1);
#ifdef CORRECT
	turn(2);
#else
	mine++; /* race 1 hmtrace */
	turn(2);
#endif
	return unused;
}

static void *other(void *unused)
{
	int *theirs;
	while ((theirs = atomic_load_explicit(&given, memory_order_acquire)) == NULL)
		sched_yield();
	over();
	(*theirs)++; /* race 1 hmtrace */
	over();
	return unused;
}

int main(void)
{
	two(owner, other);
	return 0;
}
