/*
 * Two mistakes at one place: a slot's flag is durable before its data is stored, and the data is never flushed. A power
 * cut shows the first, the trace the second; a report has one finding for both.
 */
#include "pm.h"

#define SLOTS 4

struct slot {
	uint64_t valid PM_ALIGNED;
	uint64_t data PM_ALIGNED;
};

struct pool {
	struct slot slots[SLOTS];
};

static void create(struct pool *pool)
{
	(void)pool;
}

/* Writes and flushes all data once, so that none passes for data that was never meant to last. */
static void format(struct pool *pool)
{
	for (int i = 0; i < SLOTS; i++) {
		pool->slots[i].data = UINT64_MAX;
		pm_persist(&pool->slots[i].data, sizeof pool->slots[i].data);
	}
}

static void publish(struct slot *slot, uint64_t value)
{
#if BUG
	slot->valid = value;
	pm_persist(&slot->valid, sizeof slot->valid); /* BUG-AT */
	slot->data = value; /* AT data */
#else
	slot->data = value;
	pm_persist(&slot->data, sizeof slot->data);
	slot->valid = value;
	pm_persist(&slot->valid, sizeof slot->valid);
#endif
}

static void run(struct pool *pool)
{
	format(pool);
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
