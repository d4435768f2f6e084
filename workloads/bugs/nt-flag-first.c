/*
 * All stores bypass the cache and each is followed by a fence; there is no flush at all. The bug stores the flag before
 * the data. A tool in which a non-temporal store does not make the next fence a failure point has none here.
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

static void set_valid(struct slot *slot, uint64_t value)
{
	pm_store_nt(&slot->valid, value);
	pm_sfence(); /* BUG-AT */
}

static void set_data(struct slot *slot, uint64_t value)
{
	pm_store_nt(&slot->data, value);
	pm_sfence();
}

static void run(struct pool *pool)
{
	for (int i = 0; i < SLOTS; i++) {
#if BUG
		set_valid(&pool->slots[i], i + 1);
		set_data(&pool->slots[i], i + 1);
#else
		set_data(&pool->slots[i], i + 1);
		set_valid(&pool->slots[i], i + 1);
#endif
	}
}

static const char *check(struct pool *pool)
{
	for (int i = 0; i < SLOTS; i++)
		if (pool->slots[i].valid != 0 && pool->slots[i].data != pool->slots[i].valid)
			return "a valid slot without its data";
	return NULL;
}

PM_MAIN
