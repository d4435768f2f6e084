/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pages that one thread had for itself are unmapped and mapped again, at the same place. What was done to the old ones is
 * forgotten; what is done to the new ones is not.
 */
#define _GNU_SOURCE
#include "turns.h"

#include <stdlib.h>
#include <sys/mman.h>

#define PAGES 16
#define SIZE (PAGES * 4096)
#define ROUNDS 200

static long *place;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void map(void)
{
	if (mmap(place, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != place)
		abort();
}

static void fill(long value)
{
	for (int i = 0; i < SIZE / 8; i += 3)
		place[i] = value;
}

/* They map it in turns. That nothing orders their turns does no harm, since each has a memory of its own. */
static void take_turns(int mine)
{
	for (int round = mine; round < ROUNDS; round += 2) {
		turn(round);
		map();
		fill(round);
		munmap(place, SIZE);
		over();
	}
}

static void *one(void *none)
{
	take_turns(0);
	turn(ROUNDS);
	map();
#ifdef CORRECT
	pthread_mutex_lock(&mutex);
#endif
	place[9] = 1; /* race 1 hmtrace */
#ifdef CORRECT
	pthread_mutex_unlock(&mutex);
#endif
	over();
	return none;
}

static void *other(void *none)
{
	take_turns(1);
	turn(ROUNDS + 1);
#ifdef CORRECT
	pthread_mutex_lock(&mutex);
#endif
	place[9] = 2; /* race 1 hmtrace */
#ifdef CORRECT
	pthread_mutex_unlock(&mutex);
#endif
	return none;
}

int main(void)
{
	(void)mutex;
	place = mmap(NULL, SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (place == MAP_FAILED)
		return 1;
	two(one, other);
	return 0;
}
