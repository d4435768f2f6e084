/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A page that one thread has alone at first. The other thread comes to it while the first one still writes there, without
 * pause: what the first one did before is found, whatever it was about to do then.
 */
#include "turns.h"

#define COUNT 512
#define WRITES 200000

static long page[COUNT] __attribute__((aligned(4096)));
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

static void *owner(void *none)
{
	lock();
	for (long i = 0; i < 8; i++)
		page[i] = i; /* race 1 hmtrace */
	unlock();
	over();
	for (long i = 0; i < WRITES; i++)
		page[8 + i % 200] = i;
	return none;
}

static void *other(void *none)
{
	turn(1);
	for (long i = 0; i < WRITES; i++)
		page[300 + i % 200] = i;
	lock();
	for (long i = 299; i >= 0; i -= i == 292 ? 285 : 1) /* by the same code before, beside what the owner uses */
		page[i] = 2; /* race 1 hmtrace */
	unlock();
	return none;
}

int main(void)
{
	two(owner, other);
	return page[7] != 2;
}
