/* Data is flushed, then its flag is set. The bug leaves out the fence between the two, so the flag may arrive first. */
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
	slot->data = value; /* AT store */
	pm_clwb(&slot->data); /* AT data */
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
