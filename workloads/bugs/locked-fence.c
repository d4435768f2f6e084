/*
 * A locked instruction on a counter in volatile memory is the fence after a flush, on purpose. The bug counts with an
 * ordinary instruction, as an optimization might: then there is no fence.
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

static volatile uint64_t flushes;

static void create(struct pool *pool)
{
	(void)pool;
}

static void count_flush(void)
{
#if BUG
	flushes = flushes + 1;
#else
	__atomic_fetch_add(&flushes, 1, __ATOMIC_SEQ_CST);
#endif
}

static void publish(struct slot *slot, uint64_t value)
{
	slot->data = value; /* AT data */
	pm_clwb(&slot->data); /* AT flush */
	count_flush();
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
