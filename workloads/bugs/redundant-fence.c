/* The bug fences twice: nothing was flushed between the first fence and the second. */
#include "pm.h"

struct pool {
	uint64_t count PM_ALIGNED;
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void add(struct pool *pool)
{
	pool->count += 1;
	pm_clwb(&pool->count);
	pm_sfence();
#if BUG
	pm_sfence(); /* AT fence */
#endif
}

static void run(struct pool *pool)
{
	for (int i = 0; i < 10; i++)
		add(pool);
}

static const char *check(struct pool *pool)
{
	return pool->count <= 10 ? NULL : "counted too far";
}

PM_MAIN
