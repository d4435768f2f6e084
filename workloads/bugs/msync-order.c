/*
 * A mapped file on an ordinary disk, persisted by msync() alone. The bug syncs the root page before the page it leads
 * to.
 */
#include "pm.h"

#define PAGE 4096
#define PAGES 6

struct page {
	uint64_t number; /* from 1; 0: never written */
	uint64_t words[PAGE / sizeof(uint64_t) - 1];
} __attribute__((aligned(PAGE)));

struct pool {
	uint64_t root __attribute__((aligned(PAGE))); /* index of the newest page; page 0 is there from the start */
	struct page pages[PAGES];
};

static void create(struct pool *pool)
{
	pool->pages[0].number = 1;
}

static void sync_range(void *start)
{
	if (msync(start, PAGE, MS_SYNC) != 0)
		pm_fail("msync");
}

static void write_page(struct pool *pool, uint64_t index)
{
	struct page *page = &pool->pages[index];
	page->words[0] = index;
	page->words[500] = index;
	page->number = index + 1;
	sync_range(page);
}

static void set_root(struct pool *pool, uint64_t index)
{
	pool->root = index;
	sync_range(&pool->root);
}

static void run(struct pool *pool)
{
	for (uint64_t index = 1; index < PAGES; index++) {
#if BUG
		set_root(pool, index); /* BUG-AT */
		write_page(pool, index);
#else
		write_page(pool, index);
		set_root(pool, index);
#endif
	}
}

static const char *check(struct pool *pool)
{
	if (pool->root >= PAGES)
		return "no such page";
	struct page *page = &pool->pages[pool->root];
	int whole = page->number == pool->root + 1 && page->words[0] == pool->root && page->words[500] == pool->root;
	return whole ? NULL : "the root leads to a page that was not written";
}

PM_MAIN
