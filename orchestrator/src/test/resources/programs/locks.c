/*
 * Stores under locks of the C library, while another thread is there, without which these lock nothing:
 *   locks run PMDIR    locks check PMDIR (all is well)
 */
#include "program.h"

#include <pthread.h>
#include <string.h>

#define CELLS 4

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static long count;
static int gate[2];

__attribute__((noinline)) static void under_mutex(uint64_t *cell)
{
	pthread_mutex_lock(&mutex);
	*cell = 1;
	pthread_mutex_unlock(&mutex);
	cell[1] = 1;
	persist(cell);
}

__attribute__((noinline)) static void under_rwlock(uint64_t *cell)
{
	pthread_rwlock_wrlock(&rwlock);
	*cell = 2;
	pthread_rwlock_unlock(&rwlock);
	cell[1] = 1;
	persist(cell);
}

/* A locked instruction of the program's own. */
__attribute__((noinline)) static void counted(uint64_t *cell)
{
	*cell = 3;
	__sync_fetch_and_add(&count, 1);
	cell[1] = 1;
	persist(cell);
}

static void *wait_for_the_end(void *unused)
{
	char byte;
	return read(gate[0], &byte, 1) == 0 ? unused : NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	if (argc != 3)
		return 2;
	uint64_t *cells = map_lines(argv[2], "cells", CELLS);
	if (strcmp(argv[1], "run") != 0)
		return 0;
	if (pipe(gate) != 0 || pthread_create(&thread, NULL, wait_for_the_end, NULL) != 0)
		fail("thread");
	under_mutex(cells);
	under_rwlock(cells + LINE / sizeof *cells);
	counted(cells + 2 * LINE / sizeof *cells);
	close(gate[1]);
	pthread_join(thread, NULL);
	return 0;
}
