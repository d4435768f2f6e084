/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pages that are passed on while two threads use neighbours in one granule of them without pause. What the second thread
 * does as it comes is found, in each page: the program counts the races that were reported.
 */
#include "turns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGES 64
#define EIGHT(use, n) use(n) use(n + 1) use(n + 2) use(n + 3) use(n + 4) use(n + 5) use(n + 6) use(n + 7)
#define ALL(use) \
	EIGHT(use, 0) \
	EIGHT(use, 8) EIGHT(use, 16) EIGHT(use, 24) EIGHT(use, 32) EIGHT(use, 40) EIGHT(use, 48) EIGHT(use, 56)

static volatile long pages[PAGES][512] __attribute__((aligned(4096)));
static atomic_int reached, published;
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

/* It writes until the other thread has come. Each release makes its next write a new one. */
static __attribute__((noinline)) void write_beside(int number)
{
	atomic_store_explicit(&reached, 2 * number + 1, memory_order_relaxed);
	while (atomic_load_explicit(&reached, memory_order_relaxed) < 2 * number + 2) {
		atomic_store_explicit(&published, number, memory_order_release);
		pages[number][8] = number;
	}
}

static __attribute__((noinline)) void wait_for(int number)
{
	while (atomic_load_explicit(&reached, memory_order_relaxed) < number)
		;
}

static void *owner(void *none)
{
#define WRITE_FIRST(n) write_beside(n), lock(), (pages[n][9] = 1), unlock();
	ALL(WRITE_FIRST) /* race 1 hmtrace */
	return none;
}

static void *other(void *none)
{
#define COME(n) \
	wait_for(2 * (n) + 1), lock(), (pages[n][9] = 2), unlock(), \
			atomic_store_explicit(&reached, 2 * (n) + 2, memory_order_relaxed);
	ALL(COME) /* race 1 hmtrace */
	return none;
}

static int races_reported(void)
{
	char *line = NULL;
	size_t size = 0;
	int count = 0;
	const char *path = getenv("POWERCUT_RACES");
	FILE *reports = path == NULL ? NULL : fopen(path, "r");
	while (reports != NULL && getline(&line, &size, reports) > 0)
		count += strstr(line, "\"line\":\"race\"") != NULL;
	return count;
}

int main(void)
{
	(void)mutex;
	two(owner, other);
	const char *detector = getenv("POWERCUT_RACE_DETECTOR");
#ifdef CORRECT
	int expected = 0;
#else
	int expected = PAGES;
#endif
	return detector != NULL && strcmp(detector, "hmtrace") == 0 && races_reported() != expected;
}
