/* SPDX-License-Identifier: Apache-2.0 */
/* Goes to extremes: extremes frames|threads|offset PM NUMBER persists one store below NUMBER frames, NUMBER threads at a
 * time persist one each, or one is at 2^NUMBER of the file. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096L

static pthread_barrier_t all;

static void persist(volatile char *address)
{
	*address = 1;
	msync((void *)((unsigned long)address & -PAGE), PAGE, MS_SYNC);
}

static long persist_behind(volatile char *address, long frames)
{
	if (frames == 0)
		persist(address);
	else
		frames += persist_behind(address, frames - 1); /* no tail call */
	return frames;
}

static void *persist_with_all(void *address)
{
	pthread_barrier_wait(&all);
	persist(address);
	return NULL;
}

static int persist_of_threads(volatile char *memory, unsigned threads)
{
	pthread_t *ids = calloc(threads, sizeof *ids);
	pthread_attr_t small;

	if (ids == NULL || pthread_attr_init(&small) != 0 || pthread_attr_setstacksize(&small, 64 * 1024) != 0 ||
			pthread_barrier_init(&all, NULL, threads) != 0)
		return 1;
	for (unsigned i = 0; i < threads; i++)
		if (pthread_create(&ids[i], &small, persist_with_all, (void *)&memory[i % PAGE]) != 0)
			return 1;
	for (unsigned i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	return 0;
}

int main(int argc, char **argv)
{
	char name[4096];
	volatile char *memory;

	if (argc != 4 || strcmp(argv[1], "check") == 0)
		return 0;
	snprintf(name, sizeof name, "%s/data", argv[2]);
	long number = atol(argv[3]);
	long offset = strcmp(argv[1], "offset") == 0 ? 1L << number : 0;
	int file = open(name, O_RDWR | O_CREAT, 0600);
	if (file < 0 || ftruncate(file, offset + PAGE) != 0) {
		perror(name);
		return 1;
	}
	memory = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, offset);
	if (memory == MAP_FAILED)
		return 1;
	if (strcmp(argv[1], "threads") == 0)
		return persist_of_threads(memory, (unsigned)number);
	persist_behind(memory, offset == 0 ? number : 0);
	return 0;
}
