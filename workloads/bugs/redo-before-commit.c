/* A redo log is applied once its commit record is durable. The bug applies it before. */
#include "pm.h"

#define CELLS 8
#define TOTAL 800
#define CHANGES 2

struct change {
	uint64_t cell, value;
};

struct cell {
	uint64_t value PM_ALIGNED;
};

struct pool {
	uint64_t committed PM_ALIGNED;
	struct change redo[CHANGES] PM_ALIGNED;
	struct cell cells[CELLS];
};

static void create(struct pool *pool)
{
	for (int i = 0; i < CELLS; i++)
		pool->cells[i].value = TOTAL / CELLS;
}

static void apply(struct pool *pool)
{
	for (int i = 0; i < CHANGES; i++) {
		struct cell *cell = &pool->cells[pool->redo[i].cell];
		cell->value = pool->redo[i].value;
		pm_persist(cell, sizeof *cell);
	}
}

static void mark(struct pool *pool, uint64_t committed)
{
	pool->committed = committed;
	pm_persist(&pool->committed, sizeof pool->committed);
}

static void transfer(struct pool *pool, uint64_t from, uint64_t to, uint64_t amount)
{
	pool->redo[0] = (struct change){from, pool->cells[from].value - amount}; /* AT first */
	pool->redo[1] = (struct change){to, pool->cells[to].value + amount}; /* AT second */
	pm_persist(pool->redo, sizeof pool->redo); /* AT persist */
#if BUG
	apply(pool); /* BUG-AT */
	mark(pool, 1);
#else
	mark(pool, 1);
	apply(pool);
#endif
	mark(pool, 0);
}

static void run(struct pool *pool)
{
	for (uint64_t i = 0; i < CELLS; i++)
		transfer(pool, i, (i + 3) % CELLS, 5 + i);
}

static const char *check(struct pool *pool)
{
	for (int i = 0; pool->committed && i < CHANGES; i++)
		pool->cells[pool->redo[i].cell].value = pool->redo[i].value;
	uint64_t sum = 0;
	for (int i = 0; i < CELLS; i++)
		sum += pool->cells[i].value;
	return sum == TOTAL ? NULL : "the cells do not add up after the redo log was applied";
}

PM_MAIN
