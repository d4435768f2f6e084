/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that get in one another's way, or do not: threads FILE one|stores|mutex|writes|condition. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SIZE 65536
#define MOST 8

static volatile long *pm;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static long threads;
static long turn;

__attribute__((target("clwb"))) static void store(long line, long value)
{
	pm[line * 8] = value;
	_mm_clwb((void *)(unsigned long)&pm[line * 8]);
	_mm_sfence();
}

static void *stores(void *number)
{
	for (long i = 0; i < 40000 / threads; i++)
		store((long)number, i);
	return NULL;
}

static void *locks(void *number)
{
	(void)number;
	for (long i = 0; i < 20000 / threads; i++) {
		pthread_mutex_lock(&mutex);
		store(0, i);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

static void *writes(void *number)
{
	int file = open("/dev/null", O_WRONLY);
	store((long)number, 1);
	for (long i = 0; i < 30000; i++) {
		if (write(file, "x", 1) != 1)
			exit(2);
	}
	return NULL;
}

static void *wakes(void *number)
{
	for (long i = 0; i < 1000; i++) {
		pthread_mutex_lock(&mutex);
		while (turn % threads != (long)number)
			pthread_cond_wait(&changed, &mutex);
		turn++;
		store(0, turn);
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

static const struct {
	const char *name;
	long threads;
	void *(*work)(void *);
} kinds[] = {{"one", 1, stores}, {"stores", 8, stores}, {"mutex", 4, locks}, {"writes", 4, writes},
		{"condition", 8, wakes}};

int main(int count, char **arguments)
{
	pthread_t started[MOST];
	if (count != 3)
		return 2;
	int file = open(arguments[1], O_RDWR | O_CREAT, 0644);
	if (file < 0 || ftruncate(file, SIZE) != 0)
		return 2;
	void *mapped = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (mapped == MAP_FAILED)
		return 2;
	pm = (volatile long *)mapped;
	for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
		if (strcmp(kinds[kind].name, arguments[2]) != 0)
			continue;
		threads = kinds[kind].threads;
		if (threads == 1) {
			kinds[kind].work(NULL);
			return 0;
		}
		for (long i = 0; i < threads; i++)
			pthread_create(&started[i], NULL, kinds[kind].work, (void *)i);
		for (long i = 0; i < threads; i++)
			pthread_join(started[i], NULL);
		return 0;
	}
	return 2;
}
