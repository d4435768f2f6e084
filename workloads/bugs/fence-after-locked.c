/* A flush is followed by the release of a lock with an atomic exchange, which is a fence. The bug fences once more. */
#include "pm.h"

#define ADDITIONS 7

struct pool {
	uint64_t count PM_ALIGNED;
};

static uint64_t lock;

static void create(struct pool *pool)
{
	(void)pool;
}

static void add(struct pool *pool)
{
	__atomic_exchange_n(&lock, 1, __ATOMIC_SEQ_CST);
	pool->count += 1;
	pm_clwb(&pool->count);
	__atomic_exchange_n(&lock, 0, __ATOMIC_SEQ_CST);
#if BUG
	pm_sfence(); /* AT fence */
#endif
}

static void run(struct pool *pool)
{
	for (int i = 0; i < ADDITIONS; i++)
		add(pool);
}

static const char *check(struct pool *pool)
{
	return pool->count <= ADDITIONS ? NULL : "counted too far";
}

PM_MAIN
