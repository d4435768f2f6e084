/*
 * A table that one thread resizes while another inserts, as in P-CLHT. Whoever finds the old table waits for the end of
 * the resize. Whoever finds the new one, whose number is not persisted yet, inserts there: after a power cut, the items
 * are gone.
 */
#include "program.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

struct pool {
	volatile long current __attribute__((aligned(LINE)));
	volatile long items[2] __attribute__((aligned(LINE)));
	volatile long done __attribute__((aligned(LINE)));
};

static struct pool *pool;
static volatile int resizing[2];
static volatile int moved;

static void *resize(void *unused)
{
	(void)unused;
	for (int i = 0; i < 10; i++)
		sched_yield();
	resizing[0] = 1;
	for (int i = 0; i < 10; i++)
		sched_yield();
	pool->items[1] = pool->items[0];
	persist((void *)&pool->items[1]);
	pool->current = 1;
	persist((void *)&pool->current);
	moved = 1;
	return NULL;
}

static void *insert(void *unused)
{
	(void)unused;
	for (int i = 0; i < 40; i++) {
		long table = pool->current;
		while (resizing[table]) {
			while (!moved)
				sched_yield();
			table = pool->current;
		}
		pool->items[table] = pool->items[table] + 1;
		persist((void *)&pool->items[table]);
		pool->done = i + 1;
		persist((void *)&pool->done);
		sched_yield();
	}
	return NULL;
}

int main(int count, char **arguments)
{
	pthread_t threads[2];
	if (count < 3)
		return 2;
	pool = (struct pool *)map_lines(arguments[2], "pool", sizeof(struct pool) / LINE);
	if (strcmp(arguments[1], "check") == 0)
		return pool->items[pool->current] < pool->done;
	if (strcmp(arguments[1], "create") == 0)
		return 0;
	pthread_create(&threads[0], NULL, resize, NULL);
	pthread_create(&threads[1], NULL, insert, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
