/*
 * A mapped file, persisted by msync(). The bug asks for MS_ASYNC, which promises nothing, for the page that the index
 * leads to.
 */
#include "pm.h"

#define PAGE 4096
#define PAGES 4

struct page {
	uint64_t number; /* from 1 */
} __attribute__((aligned(PAGE)));

struct pool {
	uint64_t count __attribute__((aligned(PAGE))); /* how many pages are there */
	struct page pages[PAGES];
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void sync_page(void *start, int flags)
{
	if (msync(start, PAGE, flags) != 0)
		pm_fail("msync");
}

static void append(struct pool *pool, uint64_t index)
{
	pool->pages[index].number = index + 1; /* AT page */
	sync_page(&pool->pages[index], BUG ? MS_ASYNC : MS_SYNC);
	pool->count = index + 1;
	sync_page(&pool->count, MS_SYNC); /* BUG-AT */
}

static void run(struct pool *pool)
{
	for (uint64_t index = 0; index < PAGES; index++)
		append(pool, index);
}

static const char *check(struct pool *pool)
{
	for (uint64_t i = 0; i < pool->count; i++)
		if (i >= PAGES || pool->pages[i].number != i + 1)
			return "a page was counted, but is not there";
	return NULL;
}

PM_MAIN
