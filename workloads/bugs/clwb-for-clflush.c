/*
 * A program for processors of old: clflush alone, which later stores cannot pass, and no fence. The bug has one clwb
 * where it was clflush, and nothing that waits for it.
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

static void publish(struct slot *slot, uint64_t value)
{
	slot->data = value; /* AT data */
#if BUG
	pm_clwb(&slot->data); /* AT flush */
#else
	pm_clflush(&slot->data);
#endif
	slot->valid = value;
	pm_clflush(&slot->valid); /* BUG-AT */
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
