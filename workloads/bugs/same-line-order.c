/*
 * A table in one cache line: how many entries, and the entries. What reaches memory of a line is always a prefix of its
 * stores, so no flush is needed between entry and count, if the entry is stored first. The bug counts first.
 *
 * Program order does not show it, whatever is cut: while the two are stored, a mark makes recovery rebuild the table.
 * But the mark's removal needs no flush to arrive early.
 */
#include "pm.h"

#define ENTRIES 5

struct table {
	uint64_t count PM_ALIGNED;
	uint64_t entries[ENTRIES];
};

struct pool {
	uint64_t updating PM_ALIGNED;
	struct table table;
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void set_updating(struct pool *pool)
{
	pool->updating = 1;
	pm_persist(&pool->updating, sizeof pool->updating);
}

static void append(struct pool *pool, uint64_t index)
{
	struct table *table = &pool->table;
	set_updating(pool);
#if BUG
	table->count = index + 1; /* AT count */
	pm_compiler_barrier();
	table->entries[index] = 10 + index; /* AT entry */
#else
	table->entries[index] = 10 + index; /* AT entry-first */
	pm_compiler_barrier();
	table->count = index + 1; /* AT count-last */
#endif
	pm_compiler_barrier();
	pool->updating = 0;
	pm_clwb(table); /* BUG-AT, AT flush */
	pm_clwb(&pool->updating); /* AT flush-mark */
	pm_sfence(); /* AT fence */
}

static void run(struct pool *pool)
{
	for (uint64_t index = 0; index < ENTRIES; index++)
		append(pool, index);
}

static const char *check(struct pool *pool)
{
	if (pool->updating) /* the table is rebuilt */
		memset(&pool->table, 0, sizeof pool->table);
	for (uint64_t i = 0; i < pool->table.count; i++)
		if (i >= ENTRIES || pool->table.entries[i] != 10 + i)
			return "an entry was counted, but is not there";
	return NULL;
}

PM_MAIN
