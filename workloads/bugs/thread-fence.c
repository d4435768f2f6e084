/*
 * One thread stores, another flushes for it. A fence waits for the flushes of its own thread alone. The bug fences in
 * the thread that stored, where there is nothing to wait for; the twin fences in the one that flushed.
 *
 * The two wait for each other without a lock: its locked instructions would be fences too.
 */
#include "pm.h"

#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>

#define SLOTS 4

struct slot {
	uint64_t valid PM_ALIGNED;
	uint64_t data PM_ALIGNED;
};

struct pool {
	struct slot slots[SLOTS];
};

static volatile int ready, stored, flushed; /* the flusher, and how many slots */

static void create(struct pool *pool)
{
	(void)pool;
}

static void wait_for(volatile int *count, int value)
{
	while (*count < value)
		sched_yield();
}

static void flush_data(struct slot *slot)
{
	pm_clwb(&slot->data); /* AT flush */
#if !BUG
	pm_sfence();
#endif
}

static void *flush_slots(void *argument)
{
	struct pool *pool = argument;
	ready = 1;
	for (int i = 0; i < SLOTS; i++) {
		wait_for(&stored, i + 1);
		flush_data(&pool->slots[i]);
		flushed = i + 1;
	}
	for (;;) /* a thread that ends executes locked instructions */
		syscall(SYS_pause);
	return NULL;
}

static void publish(struct slot *slot, int number)
{
	slot->data = number; /* AT data */
	stored = number;
	wait_for(&flushed, number);
#if BUG
	pm_sfence(); /* AT fence */
#endif
	slot->valid = number;
	pm_persist(&slot->valid, sizeof slot->valid); /* BUG-AT */
}

static void run(struct pool *pool)
{
	pthread_t flusher;
	if (pthread_create(&flusher, NULL, flush_slots, pool) != 0)
		pm_fail("pthread_create");
	wait_for(&ready, 1); /* the start of a thread has locked instructions */
	for (int i = 0; i < SLOTS; i++)
		publish(&pool->slots[i], i + 1);
}

static const char *check(struct pool *pool)
{
	for (int i = 0; i < SLOTS; i++)
		if (pool->slots[i].valid != 0 && pool->slots[i].data != pool->slots[i].valid)
			return "a valid slot without its data";
	return NULL;
}

PM_MAIN
