/*
 * A setter for two fields of one cache line. The bug stores both and then makes each durable by itself: the first flush
 * covers both stores, the second none. The twin makes each durable before it stores the next.
 */
#include "pm.h"

#define FILES 5

struct file {
	uint64_t size PM_ALIGNED;
	uint64_t changed;
};

struct pool {
	struct file files[FILES];
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void set(struct file *file, uint64_t size, uint64_t changed)
{
#if BUG
	file->size = size; /* AT size */
	file->changed = changed; /* AT changed */
	pm_persist(&file->size, sizeof file->size); /* AT persist-size */
	pm_persist(&file->changed, sizeof file->changed); /* AT persist-changed */
#else
	file->size = size;
	pm_persist(&file->size, sizeof file->size);
	file->changed = changed;
	pm_persist(&file->changed, sizeof file->changed);
#endif
}

static void run(struct pool *pool)
{
	for (int i = 0; i < FILES; i++)
		set(&pool->files[i], 100 + i, 7 + i);
}

static const char *check(struct pool *pool)
{
	for (int i = 0; i < FILES; i++)
		if (pool->files[i].changed != 0 && pool->files[i].size != (uint64_t)(100 + i))
			return "a file has a time but no size";
	return NULL;
}

PM_MAIN
