/* A slot that a writer thread fills, and what a reader thread makes of it: for programs about races. */
#ifndef POWERCUT_SLOTS_H
#define POWERCUT_SLOTS_H

#include "program.h"

#include <pthread.h>
#include <string.h>

struct pool {
	long slot __attribute__((aligned(LINE)));
	long copy __attribute__((aligned(LINE)));
	long count __attribute__((aligned(LINE)));
};

static struct pool *pool;

static void open_pool(const char *directory)
{
	pool = (struct pool *)map_lines(directory, "pool", sizeof(struct pool) / LINE);
}

/* Until both are done. */
static void run_both(void *(*writer)(void *), void *(*reader)(void *))
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, writer, NULL);
	pthread_create(&threads[1], NULL, reader, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
}

#endif
