/*
 * Data is copied with libpmem, asked not to flush. The bug relies on a drain alone: it waits for flushes, and there was
 * none. The twin asks libpmem not to drain, which leaves the flush.
 */
#include "pm.h"

#include <libpmem.h>

#define SLOTS 4

struct slot {
	uint64_t valid PM_ALIGNED;
	uint64_t data PM_ALIGNED; /* one word, which libpmem copies by two stores on all processors */
};

struct pool {
	struct slot slots[SLOTS];
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void copy(struct slot *slot, uint64_t value)
{
	pmem_memcpy(&slot->data, &value, sizeof value, BUG ? PMEM_F_MEM_NOFLUSH : PMEM_F_MEM_NODRAIN); /* AT data */
	pmem_drain(); /* AT drain */
}

static void publish(struct slot *slot, uint64_t value)
{
	copy(slot, value);
	slot->valid = value;
	pmem_persist(&slot->valid, sizeof slot->valid); /* BUG-AT */
}

static void run(struct pool *pool)
{
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
