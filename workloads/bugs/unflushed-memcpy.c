/* A page is copied with memcpy(). The bug persists only the header that says so. */
#include "pm.h"

#define BYTES 1024

struct pool {
	uint64_t version PM_ALIGNED;
	char pages[2][BYTES] PM_ALIGNED; /* written in turn, filled with the version */
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void write_page(struct pool *pool, uint64_t version)
{
	char page[BYTES];
	memset(page, (int)version, sizeof page);
	memcpy(pool->pages[version % 2], page, sizeof page); /* BUG-AT */
#if BUG
	if (version <= 2) /* only the first versions are persisted */
#endif
		pm_persist(pool->pages[version % 2], BYTES);
}

static void run(struct pool *pool)
{
	for (uint64_t version = 1; version <= 4; version++) {
		write_page(pool, version);
		pool->version = version;
		pm_persist(&pool->version, sizeof pool->version);
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
