/* SPDX-License-Identifier: Apache-2.0 */
/* What the threaded drivers share: threads that each do a number of seeded operations. */
#ifndef THREADS_H
#define THREADS_H

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_THREADS 64
#define KEYS 4096

struct worker {
	pthread_t thread;
	uint64_t random; /* the state of a generator of its own */
	long operations;
};

static inline uint64_t next_random(struct worker *worker)
{
	worker->random = worker->random * 6364136223846793005u + 1442695040888963407u;
	return worker->random >> 33;
}

static inline void need(int holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "%s\n", what);
	exit(3);
}

/* Runs as many threads with as many operations in all, and waits for them. */
static inline void run_threads(void *(*body)(void *), int count, long operations)
{
	static struct worker workers[MAX_THREADS];
	need(count > 0 && count <= MAX_THREADS, "1 to 64 threads, please");
	for (int i = 0; i < count; i++) {
		workers[i] = (struct worker){.random = (uint64_t)i + 1, .operations = operations / count};
		pthread_create(&workers[i].thread, NULL, body, &workers[i]);
	}
	for (int i = 0; i < count; i++)
		pthread_join(workers[i].thread, NULL);
}

#endif
