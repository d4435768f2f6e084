/* A progress counter. The bug keeps it in persistent memory and overwrites it many times before it persists it once. */
#include "pm.h"

#define STEPS 20

struct pool {
	volatile uint64_t progress PM_ALIGNED;
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void run(struct pool *pool)
{
#if BUG
	for (int i = 0; i < STEPS; i++)
		pool->progress++; /* AT progress */
#else
	uint64_t progress = 0;
	for (int i = 0; i < STEPS; i++)
		progress++;
	pool->progress = progress;
#endif
	pm_persist((void *)&pool->progress, sizeof pool->progress);
}

static const char *check(struct pool *pool)
{
	return pool->progress <= STEPS ? NULL : "went too far";
}

PM_MAIN
