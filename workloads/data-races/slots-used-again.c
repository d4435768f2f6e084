/* SPDX-License-Identifier: Apache-2.0 */
/*
 * More threads, one after the other, than the runtime gives numbers before it uses them again. A thread finds pages that a
 * former one with its number had for itself.
 */
#include "turns.h"

#define THREADS 700

static long page[512] __attribute__((aligned(4096)));
static long common[512] __attribute__((aligned(4096)));
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *pass(void *number)
{
	long i = (long)number;
	if (i % 2 == 0)
		page[i / 2] = i;
	common[i % 512] = i;
	return NULL;
}

static void *idle(void *none)
{
	turn(2);
	return none;
}

static void *first(void *none)
{
#ifdef CORRECT
	pthread_mutex_lock(&mutex);
#endif
	page[0] = 1; /* race 1 hmtrace */
#ifdef CORRECT
	pthread_mutex_unlock(&mutex);
#endif
	over();
	return none;
}

static void *second(void *none)
{
	turn(1);
#ifdef CORRECT
	pthread_mutex_lock(&mutex);
#endif
	page[0] = 2; /* race 1 hmtrace */
#ifdef CORRECT
	pthread_mutex_unlock(&mutex);
#endif
	over();
	return none;
}

int main(void)
{
	(void)mutex;
	pthread_t other;
	pthread_create(&other, NULL, idle, NULL);
	for (long i = 0; i < THREADS; i++) {
		pthread_t thread;
		if (pthread_create(&thread, NULL, pass, (void *)i) != 0)
			return 1;
		pthread_join(thread, NULL);
	}
	two(first, second);
	pthread_join(other, NULL);
	return page[0] == 0 || common[0] == 1;
}
