/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hundreds of pages, each passed on while two threads use it without pause: who had it alone sees it taken away, again and
 * again. Each of the races is at lines of its own, and happens in one page alone.
 */
#include "turns.h"

#include <stdlib.h>

#define PAGES 400

static long pages[PAGES][512] __attribute__((aligned(4096)));
static atomic_int reached;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void lock(void)
{
#ifdef CORRECT
	pthread_mutex_lock(&mutex);
#endif
}

static void unlock(void)
{
#ifdef CORRECT
	pthread_mutex_unlock(&mutex);
#endif
}

static void race_in_one(int number)
{
	lock();
	switch (number) {
	case 50: pages[50][0] = 1; break; /* race 1 hmtrace */
	case 150: pages[150][100] = 1; break; /* race 2 hmtrace */
	case 250: pages[250][200] = 1; break; /* race 3 hmtrace */
	case 350: pages[350][300] = 1; break; /* race 4 hmtrace */
	default: break;
	}
	unlock();
}

static void race_in_other(int number)
{
	lock();
	switch (number) {
	case 50: pages[50][0] = 2; break; /* race 1 hmtrace */
	case 150: pages[150][100] = 2; break; /* race 2 hmtrace */
	case 250: pages[250][200] = 2; break; /* race 3 hmtrace */
	case 350: pages[350][300] = 2; break; /* race 4 hmtrace */
	default: break;
	}
	unlock();
}

/* It writes each page until the other one is seen to have come there. */
static void *owner(void *none)
{
	for (int number = 0; number < PAGES; number++) {
		race_in_one(number);
		atomic_store_explicit(&reached, 2 * number + 1, memory_order_relaxed);
		for (long i = 0; atomic_load_explicit(&reached, memory_order_relaxed) < 2 * number + 2; i++)
			for (long j = 0; j < 200; j++)
				pages[number][310 + (i + j) % 200] = j;
	}
	return none;
}

static void *other(void *none)
{
	for (int number = 0; number < PAGES; number++) {
		while (atomic_load_explicit(&reached, memory_order_relaxed) < 2 * number + 1)
			;
		for (long j = 0; j < 90; j++)
			pages[number][1 + j] = j;
		race_in_other(number);
		atomic_store_explicit(&reached, 2 * number + 2, memory_order_relaxed);
	}
	return none;
}

int main(void)
{
	(void)mutex;
	two(owner, other);
	return pages[0][1] == 1;
}
