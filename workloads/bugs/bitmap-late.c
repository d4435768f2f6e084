/*
 * An allocator marks a block as used in a bitmap, then the block is linked in. The bug flushes the bitmap when all is
 * done: a block may be linked in and still be free, and be given away a second time.
 */
#include "pm.h"

#define BLOCKS 5

struct block {
	uint64_t link PM_ALIGNED; /* 1 + number of the block that is linked in here */
};

struct pool {
	uint64_t bitmap PM_ALIGNED;
	struct block blocks[BLOCKS];
};

static void create(struct pool *pool)
{
	(void)pool;
}

static uint64_t allocate(struct pool *pool)
{
	uint64_t number = (uint64_t)__builtin_ctzll(~pool->bitmap);
	pool->bitmap |= UINT64_C(1) << number; /* AT bit */
#if !BUG
	pm_persist(&pool->bitmap, sizeof pool->bitmap);
#endif
	return number;
}

static void link_block(struct block *block, uint64_t number)
{
	block->link = number + 1;
	pm_persist(block, sizeof *block); /* BUG-AT */
}

static void add(struct pool *pool, int place)
{
	link_block(&pool->blocks[place], allocate(pool));
#if BUG
	pm_persist(&pool->bitmap, sizeof pool->bitmap);
#endif
}

static void run(struct pool *pool)
{
	for (int place = 0; place < BLOCKS; place++)
		add(pool, place);
}

static const char *check(struct pool *pool)
{
	for (int i = 0; i < BLOCKS; i++) {
		uint64_t link = pool->blocks[i].link;
		if (link > BLOCKS || (link != 0 && (pool->bitmap >> (link - 1) & 1) == 0))
			return "a block is linked in and free";
	}
	return NULL;
}

PM_MAIN
