/*
 * A redo log is applied to the cells and then truncated by a store past the cache. The bug truncates it after the
 * flushes of the cells, but not after a fence: the log may be gone before the cells have changed.
 */
#include "pm.h"

#define CELLS 2

struct cell {
	uint64_t value PM_ALIGNED;
};

struct pool {
	uint64_t committed PM_ALIGNED; /* whether the log is to be applied */
	uint64_t log[CELLS] PM_ALIGNED;
	struct cell cells[CELLS]; /* 100 together */
};

static void create(struct pool *pool)
{
	pool->cells[0].value = 100;
}

static void commit(struct pool *pool)
{
	pm_persist(pool->log, sizeof pool->log); /* AT persist-log */
	pool->committed = 1;
	pm_persist(&pool->committed, sizeof pool->committed);
}

static void apply(struct pool *pool)
{
	for (int i = 0; i < CELLS; i++)
		pool->cells[i].value = pool->log[i]; /* AT apply */
}

static void truncate_log(struct pool *pool)
{
	pm_clwb(&pool->cells[0]); /* AT first */
	pm_clwb(&pool->cells[1]); /* AT second */
#if !BUG
	pm_sfence(); /* AT fence-cells */
#endif
	pm_store_nt(&pool->committed, 0); /* AT truncate */
	pm_sfence(); /* BUG-AT, AT fence */
}

static void transfer(struct pool *pool, uint64_t amount)
{
	pool->log[0] = pool->cells[0].value - amount; /* AT from */
	pm_compiler_barrier();
	pool->log[1] = pool->cells[1].value + amount; /* AT to */
	commit(pool);
	apply(pool);
	truncate_log(pool);
}

static void run(struct pool *pool)
{
	for (uint64_t amount = 1; amount <= 4; amount++)
		transfer(pool, amount);
}

static const char *check(struct pool *pool)
{
	if (pool->committed)
		apply(pool);
	return pool->cells[0].value + pool->cells[1].value == 100 ? NULL : "half of a transfer is lost";
}

PM_MAIN
