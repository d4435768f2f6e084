/*
 * Two buffers of two cache lines, written in turn, and a root that says which is the current one. The bug flushes the
 * new buffer with clflushopt and switches without a fence: clflush of the root waits for itself, not for them.
 */
#include "pm.h"

#define WORDS 16

struct pool {
	uint64_t version PM_ALIGNED; /* the current buffer is `version % 2` */
	uint64_t buffers[2][WORDS] PM_ALIGNED;
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void write_buffer(uint64_t *words, uint64_t version)
{
	for (int i = 0; i < WORDS; i++)
		words[i] = version; /* AT word */
	pm_clflushopt(&words[0]); /* AT first */
	pm_clflushopt(&words[WORDS / 2]); /* AT second */
#if !BUG
	pm_sfence(); /* AT fence-buffer */
#endif
}

static void set_version(struct pool *pool, uint64_t version)
{
	pool->version = version;
	pm_clflush(&pool->version); /* BUG-AT */
	pm_mfence(); /* AT fence */
}

static void run(struct pool *pool)
{
	for (uint64_t version = 1; version <= 4; version++) {
		write_buffer(pool->buffers[version % 2], version);
		set_version(pool, version);
	}
}

static const char *check(struct pool *pool)
{
	for (int i = 0; i < WORDS; i++)
		if (pool->buffers[pool->version % 2][i] != pool->version)
			return "the current buffer is not of its version";
	return NULL;
}

PM_MAIN
