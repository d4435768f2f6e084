/*
 * What every program of the race suite needs: persistent memory, two threads, and an order of what they do that no
 * analysis sees.
 *
 * A program is called as PROGRAM racy|correct POOL. `racy` says which variant runs. Its report is written beside it;
 * README.md has the form.
 */
#ifndef POWERCUT_RACES_RACE_H
#define POWERCUT_RACES_RACE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HELPER static inline __attribute__((unused))
#define USED 32 /* so many lines the first thread has used: what others store there is no initialisation */
#define LINES 64

struct line {
	volatile uint64_t word[8];
} __attribute__((aligned(64)));

static struct line *pm;
static const char *pool_path;
static int racy;
static volatile int *turns;

/* What is loaded: Valgrind drops a load whose value nothing uses. */
static __attribute__((unused)) volatile uint64_t sink;

/* Words on lines of their own. */
#define X (pm[0].word[0])
#define Y (pm[1].word[0])
#define COPY (pm[2].word[0])
/* A line that nothing has used yet. */
#define FRESH(number) (pm[USED + (number)])

HELPER void pm_flush(const volatile void *where)
{
	__asm__ volatile("clwb %0" : "+m"(*(volatile char *)where));
}

HELPER void pm_fence(void)
{
	__asm__ volatile("sfence" ::: "memory");
}

HELPER void pm_persist(const volatile void *where)
{
	pm_flush(where);
	pm_fence();
}

/* What one thread does behind turn(N) comes after what the other does before it; only this program knows. */
HELPER void turn(int number)
{
	while (*turns < number)
		sched_yield();
}

HELPER void pass(int number)
{
	*turns = number;
}

HELPER void need(int holds, const char *what)
{
	if (holds)
		return;
	perror(what);
	_exit(2);
}

HELPER void race_begin(int count, char **arguments)
{
	need(count == 3, "usage: PROGRAM racy|correct POOL");
	racy = strcmp(arguments[1], "racy") == 0;
	pool_path = arguments[2];
	int file = open(pool_path, O_RDWR | O_CREAT, 0644);
	need(file >= 0 && ftruncate(file, LINES * sizeof(struct line)) == 0, "pool");
	pm = (struct line *)mmap(NULL, LINES * sizeof(struct line), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	need(pm != MAP_FAILED, "mmap");
	close(file);
	turns = (volatile int *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	need(turns != MAP_FAILED, "mmap");
	for (int line = 0; line < USED; line++) {
		for (int word = 0; word < 8; word++)
			pm[line].word[word] = 0;
		pm_flush(&pm[line]);
	}
	pm_fence();
}

HELPER void race_threads(void *(*first)(void *), void *(*second)(void *))
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, first, NULL);
	pthread_create(&threads[1], NULL, second, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
}

/* For programs of two threads. */
#define RACE_MAIN(first, second) \
	int main(int count, char **arguments) \
	{ \
		race_begin(count, arguments); \
		race_threads(first, second); \
		return 0; \
	}

#endif
