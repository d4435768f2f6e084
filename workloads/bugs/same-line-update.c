/*
 * Two words that belong together lie in one cache line and share one flush. The bug stores them one after the other: a
 * crash between the two stores tears them, and no flush or fence stands there. The twin stores both as one 8-byte word.
 */
#include "pm.h"

#define BAD "the low word does not belong to the high word"

struct pool {
	volatile uint64_t low PM_ALIGNED;
	volatile uint64_t high;
	volatile uint64_t packed PM_ALIGNED; /* low in the lower half, high in the upper half */
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void update(struct pool *pool, uint64_t value)
{
#if BUG
	pool->low = value; /* AT low */
	pool->high = 3 * value; /* BUG-AT, AT high */
	pm_persist((void *)&pool->low, PM_LINE); /* AT persist */
#else
	pool->packed = value | 3 * value << 32;
	pm_persist((void *)&pool->packed, PM_LINE);
#endif
}

static void run(struct pool *pool)
{
	for (uint64_t value = 1; value <= 5; value++)
		update(pool, value);
}

static const char *check(struct pool *pool)
{
	if (pool->high != 3 * pool->low)
		return BAD;
	return pool->packed >> 32 == 3 * (pool->packed & 0xffffffff) ? NULL : BAD;
}

PM_MAIN
