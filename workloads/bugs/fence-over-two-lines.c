/*
 * Two counters that do not depend on each other. The bug flushes both and fences once: which one arrives first is open.
 * Nothing breaks here, so it is a warning; the twin fences after each.
 */
#include "pm.h"

#define ROUNDS 5

struct pool {
	uint64_t reads PM_ALIGNED;
	uint64_t writes PM_ALIGNED;
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void count(struct pool *pool)
{
	pool->reads += 2;
	pm_clwb(&pool->reads); /* AT reads */
#if !BUG
	pm_sfence();
#endif
	pool->writes += 1;
	pm_clwb(&pool->writes); /* AT writes */
	pm_sfence(); /* AT fence */
}

static void run(struct pool *pool)
{
	for (int i = 0; i < ROUNDS; i++)
		count(pool);
}

static const char *check(struct pool *pool)
{
	return pool->reads <= 2 * ROUNDS && pool->writes <= ROUNDS ? NULL : "counted too far";
}

PM_MAIN
