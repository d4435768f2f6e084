/*
 * An entry is counted by a locked instruction, which is a fence before its own store. So the flush of the entry is
 * complete before the count changes, if it comes first. In the bug it comes after: the fence finds nothing to wait
 * for.
 */
#include "pm.h"

#define ENTRIES 5

struct entry {
	uint64_t number PM_ALIGNED; /* from 1 */
};

struct pool {
	uint64_t count PM_ALIGNED;
	struct entry entries[ENTRIES];
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void append(struct pool *pool, struct entry *entry, uint64_t number)
{
	entry->number = number; /* AT number */
#if BUG
	__atomic_fetch_add(&pool->count, 1, __ATOMIC_SEQ_CST);
	pm_clflushopt(entry); /* BUG-AT */
#else
	pm_clflushopt(entry);
	__atomic_fetch_add(&pool->count, 1, __ATOMIC_SEQ_CST);
#endif
	pm_clflush(&pool->count);
	pm_mfence();
}

static void run(struct pool *pool)
{
	for (uint64_t number = 1; number <= ENTRIES; number++)
		append(pool, &pool->entries[number - 1], number);
}

static const char *check(struct pool *pool)
{
	for (uint64_t i = 0; i < pool->count; i++)
		if (i >= ENTRIES || pool->entries[i].number != i + 1)
			return "an entry was counted, but is not there";
	return NULL;
}

PM_MAIN
