/*
 * A page is copied with memcpy(). The bug persists the version number that speaks of the page, but not the page. 128
 * bytes are copied without a byte stored twice, whatever registers the C library uses.
 */
#include "pm.h"

#define BYTES 128

struct pool {
	uint64_t version PM_ALIGNED;
	char pages[2][BYTES] PM_ALIGNED; /* written in turn, filled with the version */
};

static void create(struct pool *pool)
{
	(void)pool;
}

/* Flushes both pages once, so that none passes for data that was never meant to last. */
static void format(struct pool *pool)
{
	char page[BYTES];
	for (int i = 0; i < 2; i++) {
		memset(page, i == 0 ? 0 : 0xff, sizeof page);
		pm_copy(pool->pages[i], page, sizeof page);
		pm_persist(pool->pages[i], BYTES); /* AT format */
	}
}

static void write_page(struct pool *pool, uint64_t version)
{
	char page[BYTES];
	memset(page, (int)version, sizeof page);
	memcpy(pool->pages[version % 2], page, sizeof page); /* AT copy */
#if !BUG
	pm_persist(pool->pages[version % 2], BYTES); /* AT persist */
#endif
}

static void set_version(struct pool *pool, uint64_t version)
{
	pool->version = version;
	pm_persist(&pool->version, sizeof pool->version); /* BUG-AT */
}

static void run(struct pool *pool)
{
	format(pool);
	for (uint64_t version = 1; version <= 3; version++) {
		write_page(pool, version);
		set_version(pool, version);
	}
}

static const char *check(struct pool *pool)
{
	for (int i = 0; i < BYTES; i++)
		if (pool->pages[pool->version % 2][i] != (char)pool->version)
			return "the page is not of its version";
	return NULL;
}

PM_MAIN
