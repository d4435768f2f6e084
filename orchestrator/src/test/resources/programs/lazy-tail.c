/*
 * A ring between two threads, which wait for one another with sched_yield. Where the tail is persisted at every eighth
 * entry only, and the reader does not persist what it finds, the result of an entry may last without the entry. In the
 * order of the default schedule the ring is full first, and the tail persisted.
 */
#include "program.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#define RING 16
#define ENTRIES 48
#define LAZY 8

struct word {
	_Alignas(LINE) _Atomic long value;
};

struct pool {
	struct word tail, ring[RING], results[ENTRIES];
};

static struct pool *pool;
static _Atomic long taken;
static int is_lazy;

static void *produce(void *unused)
{
	for (long i = 0; i < ENTRIES; i++) {
		while (i - taken >= RING)
			sched_yield();
		pool->ring[i % RING].value = i + 1;
		persist((void *)&pool->ring[i % RING]);
		pool->tail.value = i + 1;
		if (!is_lazy || i % LAZY == LAZY - 1)
			persist((void *)&pool->tail);
	}
	return unused;
}

static void *consume(void *unused)
{
	for (long i = 0; i < ENTRIES; i++) {
		while (pool->tail.value <= i)
			sched_yield();
		if (!is_lazy)
			persist((void *)&pool->tail);
		pool->results[i].value = pool->ring[i % RING].value;
		persist((void *)&pool->results[i]);
		taken = i + 1;
	}
	return unused;
}

static int check(void)
{
	for (long i = 0; i < ENTRIES; i++) {
		if (pool->results[i].value != 0 && i >= pool->tail.value)
			return 1;
	}
	return 0;
}

int main(int count, char **arguments)
{
	pthread_t producer, consumer;

	if (count < 4)
		return 2;
	pool = (struct pool *)map_lines(arguments[2], "pool", sizeof(struct pool) / LINE);
	if (strcmp(arguments[1], "check") == 0)
		return check();
	is_lazy = strcmp(arguments[3], "bug") == 0;
	pthread_create(&producer, NULL, produce, NULL);
	pthread_create(&consumer, NULL, consume, NULL);
	pthread_join(producer, NULL);
	pthread_join(consumer, NULL);
	return 0;
}
