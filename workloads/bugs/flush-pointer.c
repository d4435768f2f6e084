/*
 * The flush of an entry gets the address of the pointer instead of the pointer: what it flushes is a cache line of the
 * call stack, in volatile memory.
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

/* Flushes every entry once, so that none passes for data that was never meant to last. */
static void format(struct pool *pool)
{
	for (int i = 0; i < ENTRIES; i++) {
		pool->entries[i].number = UINT64_MAX;
		pm_persist(&pool->entries[i], sizeof pool->entries[i]);
	}
}

static void write_entry(struct entry *entry, uint64_t number)
{
	entry->number = number; /* AT number */
#if BUG
	pm_clwb(&entry); /* AT flush */
#else
	pm_clwb(entry);
#endif
	pm_sfence(); /* AT fence */
}

static void set_count(struct pool *pool, uint64_t count)
{
	pool->count = count;
	pm_persist(&pool->count, sizeof pool->count); /* BUG-AT */
}

static void run(struct pool *pool)
{
	format(pool);
	for (uint64_t number = 1; number <= ENTRIES; number++) {
		write_entry(&pool->entries[number - 1], number);
		set_count(pool, number);
	}
	pm_leave();
}

static const char *check(struct pool *pool)
{
	for (uint64_t i = 0; i < pool->count; i++)
		if (i >= ENTRIES || pool->entries[i].number != i + 1)
			return "an entry was counted, but is not there";
	return NULL;
}

PM_MAIN
