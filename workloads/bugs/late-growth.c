/*
 * A hash table that moves to a bigger one when it is three quarters full, which takes 3,072 insertions. The bug
 * switches to the bigger table before the entries are there.
 */
#include "pm.h"

#define SMALL 4096
#define BIG 8192
#define INSERTIONS 3200

struct entry {
	uint64_t key; /* 0: free */
	uint64_t value;
};

struct pool {
	uint64_t grown PM_ALIGNED; /* which table counts */
	uint64_t entries PM_ALIGNED; /* how many, or one less while an insertion is under way */
	struct entry small[SMALL] PM_ALIGNED;
	struct entry big[BIG] PM_ALIGNED;
};

static void create(struct pool *pool)
{
	(void)pool;
}

static struct entry *table(struct pool *pool)
{
	return pool->grown ? pool->big : pool->small;
}

static uint64_t size(struct pool *pool)
{
	return pool->grown ? BIG : SMALL;
}

static void put(struct entry *entries, uint64_t size, uint64_t key, uint64_t value)
{
	uint64_t at = key * 11400714819323198485u % size;
	while (entries[at].key != 0)
		at = (at + 1) % size;
	entries[at].value = value; /* AT value */
	pm_compiler_barrier(); /* the key last: both lie in one cache line */
	entries[at].key = key; /* AT key */
	pm_persist(&entries[at], sizeof entries[at]); /* AT persist */
}

static void rehash(struct pool *pool)
{
	for (int i = 0; i < SMALL; i++)
		if (pool->small[i].key != 0)
			put(pool->big, BIG, pool->small[i].key, pool->small[i].value);
}

static void switch_tables(struct pool *pool)
{
	pool->grown = 1;
	pm_persist(&pool->grown, sizeof pool->grown);
}

static void grow(struct pool *pool)
{
#if BUG
	switch_tables(pool); /* BUG-AT */
	rehash(pool); /* BUG-AT */
#else
	rehash(pool);
	switch_tables(pool);
#endif
}

static void insert(struct pool *pool, uint64_t key)
{
	if (!pool->grown && pool->entries >= SMALL / 4 * 3)
		grow(pool);
	put(table(pool), size(pool), key, 7 * key);
	pool->entries++;
	pm_persist(&pool->entries, sizeof pool->entries);
}

static void run(struct pool *pool)
{
	for (uint64_t key = 1; key <= INSERTIONS; key++)
		insert(pool, key);
}

static const char *check(struct pool *pool)
{
	struct entry *entries = table(pool);
	uint64_t found = 0;
	for (uint64_t i = 0; i < size(pool); i++) {
		if (entries[i].key == 0)
			continue;
		found++;
		if (entries[i].value != 7 * entries[i].key)
			return "an entry has a wrong value";
	}
	return found == pool->entries || found == pool->entries + 1 ? NULL : "entries are missing";
}

PM_MAIN
