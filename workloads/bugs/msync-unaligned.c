/*
 * A mapped file, persisted by msync(). The bug passes the address of the entry, which is no multiple of the page size,
 * and does not look at the result: the call fails with EINVAL, and persists nothing.
 */
#include "pm.h"

#define PAGE 4096
#define ENTRIES 4

struct entry {
	uint64_t number; /* from 1 */
} __attribute__((aligned(64)));

struct pool {
	uint64_t count __attribute__((aligned(PAGE))); /* how many entries are there */
	struct entry entries[ENTRIES] __attribute__((aligned(PAGE)));
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void sync_range(void *start, size_t size)
{
	(void)msync(start, size, MS_SYNC); /* AT msync */
}

static void append(struct pool *pool, uint64_t index)
{
	struct entry *entry = &pool->entries[index];
	entry->number = index + 1; /* AT number */
	sync_range(BUG ? (void *)entry : pool->entries, sizeof *entry);
	pool->count = index + 1;
	sync_range(&pool->count, sizeof pool->count); /* BUG-AT */
}

static void run(struct pool *pool)
{
	for (uint64_t index = 1; index < ENTRIES; index++)
		append(pool, index);
}

static const char *check(struct pool *pool)
{
	for (uint64_t i = 1; i < pool->count; i++)
		if (i >= ENTRIES || pool->entries[i].number != i + 1)
			return "an entry was counted, but is not there";
	return NULL;
}

PM_MAIN
