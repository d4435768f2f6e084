/*
 * An undo log's entry lies in two cache lines, and a count says whether it is there. The bug flushes entry and count
 * together and fences once: with the count there and a part of the entry lost, recovery restores what was never in the
 * row.
 */
#include "pm.h"

#define WORDS 9

struct row {
	uint64_t words[WORDS] PM_ALIGNED; /* all equal, not 0 */
};

struct pool {
	uint64_t count PM_ALIGNED; /* of entries in the log, 0 or 1 */
	struct row entry;
	struct row row;
};

static void create(struct pool *pool)
{
	for (int i = 0; i < WORDS; i++)
		pool->row.words[i] = 1;
}

static void save(struct pool *pool)
{
	for (int i = 0; i < WORDS; i++)
		pool->entry.words[i] = pool->row.words[i]; /* AT save */
	pm_clwb(&pool->entry.words[0]); /* AT flush-save */
	pm_clwb(&pool->entry.words[WORDS - 1]); /* AT flush-end */
#if !BUG
	pm_sfence(); /* AT fence-save */
#endif
	pool->count = 1;
	pm_clwb(&pool->count); /* BUG-AT, AT flush-count */
	pm_sfence(); /* AT fence */
}

static void drop(struct pool *pool)
{
	pool->count = 0;
	pm_persist(&pool->count, sizeof pool->count);
}

static void update(struct pool *pool, uint64_t value)
{
	save(pool);
	for (int i = 0; i < WORDS; i++)
		pool->row.words[i] = value;
	pm_persist(&pool->row, sizeof pool->row); /* AT update */
	drop(pool);
}

static void run(struct pool *pool)
{
	for (uint64_t value = 2; value <= 4; value++)
		update(pool, value);
}

static const char *check(struct pool *pool)
{
	if (pool->count != 0)
		pool->row = pool->entry;
	for (int i = 0; i < WORDS; i++)
		if (pool->row.words[i] != pool->row.words[0] || pool->row.words[i] == 0)
			return "the row is torn";
	return NULL;
}

PM_MAIN
