/*
 * A hash table whose full buckets continue in an overflow bucket. The new bucket gets its key before it is linked, and
 * both are flushed; the bug flushes the link first.
 */
#include "pm.h"

#define BUCKETS 2
#define KEYS 2

struct bucket {
	uint64_t keys[KEYS] PM_ALIGNED; /* 0: none */
	uint64_t overflow; /* 1 + index, 0: none */
};

struct pool {
	struct bucket buckets[BUCKETS];
	struct bucket overflow[BUCKETS]; /* one for each */
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void link_overflow(struct bucket *bucket, uint64_t overflow)
{
	bucket->overflow = overflow;
	pm_persist(bucket, sizeof *bucket);
}

static void spill(struct pool *pool, uint64_t index, uint64_t key)
{
	struct bucket *overflow = &pool->overflow[index];
	overflow->keys[0] = key; /* AT key */
#if BUG
	link_overflow(&pool->buckets[index], index + 1); /* BUG-AT */
	pm_persist(overflow, sizeof *overflow);
#else
	pm_persist(overflow, sizeof *overflow);
	link_overflow(&pool->buckets[index], index + 1);
#endif
}

static void insert(struct pool *pool, uint64_t key)
{
	struct bucket *bucket = &pool->buckets[key % BUCKETS];
	for (int i = 0; i < KEYS; i++)
		if (bucket->keys[i] == 0) {
			bucket->keys[i] = key;
			pm_persist(bucket, sizeof *bucket);
			return;
		}
	spill(pool, key % BUCKETS, key);
}

static void run(struct pool *pool)
{
	for (uint64_t key = 1; key <= BUCKETS * (KEYS + 1); key++)
		insert(pool, key);
}

static const char *check(struct pool *pool)
{
	for (uint64_t i = 0; i < BUCKETS; i++) {
		uint64_t overflow = pool->buckets[i].overflow;
		if (overflow > BUCKETS || (overflow != 0 && pool->overflow[overflow - 1].keys[0] == 0))
			return "an overflow bucket is empty";
	}
	return NULL;
}

PM_MAIN
