/*
 * Every store is followed by an mfence, then flushed and fenced: cautious, but right. The bug stores the flag before
 * the data. The mfence right after the store is the failure point; a tool in which mfence is none comes late.
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
	slot->valid = value;
	pm_mfence(); /* BUG-AT, AT valid */
	pm_clflush(&slot->valid);
	pm_mfence();
}

static void set_data(struct slot *slot, uint64_t value)
{
	slot->data = value;
	pm_mfence(); /* AT data */
	pm_clflush(&slot->data);
	pm_mfence();
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
