/*
 * One thread stores and flushes, and another publishes what the first hands over. The bug leaves the fence to the
 * publisher, and its fence waits for its own flushes only. The twin fences before it hands over.
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

static volatile int ready, written, published; /* the writer, and how many slots */

static void create(struct pool *pool)
{
	(void)pool;
}

static void wait_for(volatile int *count, int value)
{
	while (*count < value)
		sched_yield();
}

static void write_data(struct slot *slot, int number)
{
	slot->data = number; /* AT data */
	pm_clwb(&slot->data); /* AT flush */
#if !BUG
	pm_sfence();
#endif
}

static void *write_slots(void *argument)
{
	struct pool *pool = argument;
	ready = 1;
	for (int i = 0; i < SLOTS; i++) {
		wait_for(&published, i);
		write_data(&pool->slots[i], i + 1);
		written = i + 1;
	}
	for (;;) /* a thread that ends executes locked instructions */
		syscall(SYS_pause);
	return NULL;
}

static void publish(struct slot *slot, int number)
{
	wait_for(&written, number);
	slot->valid = number;
	pm_persist(&slot->valid, sizeof slot->valid); /* BUG-AT */
	published = number;
}

static void run(struct pool *pool)
{
	pthread_t writer;
	if (pthread_create(&writer, NULL, write_slots, pool) != 0)
		pm_fail("pthread_create");
	wait_for(&ready, 1); /* the start of a thread has locked instructions */
	for (int i = 0; i < SLOTS; i++)
		publish(&pool->slots[i], i + 1);
	pm_leave();
}

static const char *check(struct pool *pool)
{
	for (int i = 0; i < SLOTS; i++)
		if (pool->slots[i].valid != 0 && pool->slots[i].data != pool->slots[i].valid)
			return "a valid slot without its data";
	return NULL;
}

PM_MAIN
