/*
 * Small values lie in one area, large ones in another, and each has its own way in. The bug flushes on the way of the
 * small ones only: a large value is counted while its cache line is still on the way.
 */
#include "pm.h"

#define VALUES 6
#define IS_LARGE(index) ((index) % 3 == 1)

struct value {
	uint64_t word PM_ALIGNED;
};

struct pool {
	uint64_t count PM_ALIGNED;
	struct value small[VALUES];
	struct value large[VALUES];
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void set_count(struct pool *pool, uint64_t count)
{
	pool->count = count;
	pm_persist(&pool->count, sizeof pool->count);
}

static void put_small(struct pool *pool, uint64_t index)
{
	pool->small[index].word = index + 1;
	pm_persist(&pool->small[index], sizeof pool->small[index]);
	set_count(pool, index + 1);
}

static void put_large(struct pool *pool, uint64_t index)
{
	pool->large[index].word = index + 1; /* AT large */
#if !BUG
	pm_persist(&pool->large[index], sizeof pool->large[index]);
#endif
	set_count(pool, index + 1); /* BUG-AT */
}

static void run(struct pool *pool)
{
	for (uint64_t index = 0; index < VALUES; index++)
		if (IS_LARGE(index))
			put_large(pool, index);
		else
			put_small(pool, index);
	pm_leave();
}

static const char *check(struct pool *pool)
{
	for (uint64_t i = 0; i < pool->count; i++)
		if (i >= VALUES || (IS_LARGE(i) ? pool->large : pool->small)[i].word != i + 1)
			return "a value was counted, but is not there";
	return NULL;
}

PM_MAIN
