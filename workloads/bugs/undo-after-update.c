/* An undo log keeps the old values of two cells. The bug changes the first cell before it is in the log. */
#include "pm.h"

#define CELLS 8
#define TOTAL 800

struct undo { /* one cache line, `valid` is stored last */
	uint64_t from, to, old_from, old_to, valid;
};

struct cell {
	uint64_t value PM_ALIGNED;
};

struct pool {
	struct undo undo PM_ALIGNED;
	struct cell cells[CELLS];
};

static void create(struct pool *pool)
{
	for (int i = 0; i < CELLS; i++)
		pool->cells[i].value = TOTAL / CELLS;
}

static void log_old_values(struct undo *undo, uint64_t from, uint64_t to, uint64_t old_from, uint64_t old_to)
{
	undo->from = from; /* AT from */
	undo->to = to;
	undo->old_from = old_from;
	undo->old_to = old_to;
	pm_compiler_barrier();
	undo->valid = 1; /* AT valid */
	pm_persist(undo, sizeof *undo); /* AT persist */
}

static void forget_old_values(struct undo *undo)
{
	undo->valid = 0;
	pm_persist(undo, sizeof *undo);
}

static void store(struct cell *cell, uint64_t value)
{
	cell->value = value;
	pm_persist(cell, sizeof *cell);
}

static void transfer(struct pool *pool, uint64_t from, uint64_t to, uint64_t amount)
{
	uint64_t old_from = pool->cells[from].value, old_to = pool->cells[to].value;
#if BUG
	store(&pool->cells[from], old_from - amount); /* BUG-AT */
	log_old_values(&pool->undo, from, to, old_from, old_to);
#else
	log_old_values(&pool->undo, from, to, old_from, old_to);
	store(&pool->cells[from], old_from - amount);
#endif
	store(&pool->cells[to], old_to + amount);
	forget_old_values(&pool->undo);
}

static void run(struct pool *pool)
{
	for (uint64_t i = 0; i < CELLS; i++)
		transfer(pool, i, (i + 3) % CELLS, 5 + i);
}

static const char *check(struct pool *pool)
{
	struct undo *undo = &pool->undo;
	if (undo->valid) {
		pool->cells[undo->from].value = undo->old_from;
		pool->cells[undo->to].value = undo->old_to;
	}
	uint64_t sum = 0;
	for (int i = 0; i < CELLS; i++)
		sum += pool->cells[i].value;
	return sum == TOTAL ? NULL : "the cells do not add up after the undo log was applied";
}

PM_MAIN
