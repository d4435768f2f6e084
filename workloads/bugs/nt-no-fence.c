/*
 * Data is written past the cache with non-temporal stores, then its flag is set. The bug leaves out the fence between.
 */
#include "pm.h"

#define SLOTS 4
#define WORDS 8

struct slot {
	uint64_t valid PM_ALIGNED;
	uint64_t data[WORDS] PM_ALIGNED;
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
	for (int i = 0; i < WORDS; i++)
		pm_store_nt(&slot->data[i], value + i); /* AT data */
#if !BUG
	pm_sfence();
#endif
	slot->valid = value;
	pm_clwb(&slot->valid); /* BUG-AT, AT valid */
	pm_sfence(); /* AT fence */
}

static void run(struct pool *pool)
{
	for (int i = 0; i < SLOTS; i++)
		publish(&pool->slots[i], 100 * (i + 1));
}

static const char *check(struct pool *pool)
{
	for (int i = 0; i < SLOTS; i++)
		for (int j = 0; pool->slots[i].valid != 0 && j < WORDS; j++)
			if (pool->slots[i].data[j] != pool->slots[i].valid + j)
				return "a valid slot without its data";
	return NULL;
}

PM_MAIN
