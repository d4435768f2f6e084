/* Two fields share a cache line. The bug flushes the line once for each, though nothing was stored in between. */
#include "pm.h"

struct pool {
	uint64_t count PM_ALIGNED;
	uint64_t sum; /* follows from count; recovery computes it again */
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void add(struct pool *pool, uint64_t value)
{
	pool->count += 1; /* AT count */
	pool->sum += value; /* AT sum */
	pm_clwb(&pool->count); /* AT flush */
#if BUG
	pm_clwb(&pool->sum); /* AT flush-again */
#endif
	pm_sfence();
}

static void run(struct pool *pool)
{
	for (uint64_t value = 1; value <= 10; value++)
		add(pool, value);
}

static const char *check(struct pool *pool)
{
	pool->sum = pool->count * (pool->count + 1) / 2;
	return pool->count <= 10 ? NULL : "counted too far";
}

PM_MAIN
