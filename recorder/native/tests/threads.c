/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads that store, one after the other and all at once, and are joined. Also linked statically. */
#include "pm.h"

#include <pthread.h>

#define THREADS 4
#define ROUNDS 200

static char *pm;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;

static void *one_after_the_other(void *argument)
{
	long number = (long)argument;
	*(long *)(pm + 8 * number) = number;
	persist(pm + 8 * number);
	return NULL;
}

static void *all_at_once(void *argument)
{
	long number = (long)argument;
	pthread_barrier_wait(&barrier);
	for (long i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&mutex);
		++*(long *)(pm + 4096);
		persist(pm + 4096);
		pthread_mutex_unlock(&mutex);
		*(long *)(pm + 8192 + 8 * (i % 64)) = number << 32 | i; /* the last one wins, whoever it is */
		__sync_fetch_and_add((long *)(pm + 12288), 1);
		char *own = pm + 16384 + 4096 * number + 8 * i;
		*(long *)own = i;
		persist(own);
		if (i % 50 == 0)
			sched_yield();
	}
	return NULL;
}

__attribute__((noinline)) static void after_join(long number)
{
	*(long *)(pm + 2048 + 8 * number) = 1;
}

int main(int argc, char **argv)
{
	CHECK(argc == 2 && chdir(argv[1]) == 0);
	pm = map_file("threads", 65536);
	pthread_t threads[THREADS];
	for (long i = 1; i <= THREADS; i++) {
		CHECK(pthread_create(&threads[0], NULL, one_after_the_other, (void *)i) == 0);
		CHECK(pthread_join(threads[0], NULL) == 0);
		after_join(i);
	}
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (long i = 0; i < THREADS; i++)
		CHECK(pthread_create(&threads[i], NULL, all_at_once, (void *)i) == 0);
	for (long i = 0; i < THREADS; i++)
		CHECK(pthread_join(threads[i], NULL) == 0);
	after_join(0);
	CHECK(*(long *)(pm + 4096) == THREADS * ROUNDS && *(long *)(pm + 12288) == THREADS * ROUNDS);
	return 0;
}
