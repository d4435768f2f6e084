/* SPDX-License-Identifier: Apache-2.0 */
/* One thread uses atomic operations, the other does not. */
#include "turns.h"

int object;

static void *atomically(void *unused)
{
	__atomic_fetch_add(&object, 1, __ATOMIC_SEQ_CST); /* race 1 hmtrace */
	return unused;
}

static void *plainly(void *unused)
{
#ifdef CORRECT
	__atomic_store_n(&object, 5, __ATOMIC_RELAXED);
#else
	object = 5; /* race 1 hmtrace */
#endif
	return unused;
}

int main(void)
{
	two(atomically, plainly);
	return 0;
}
