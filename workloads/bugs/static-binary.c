/* A statically linked program: a bitmap of used blocks. The bug sets a block's bit before the block has its owner. */
#include "pm.h"

#define BLOCKS 16

struct block {
	uint64_t owner PM_ALIGNED; /* from 1 */
};

struct pool {
	uint64_t bitmap PM_ALIGNED;
	struct block blocks[BLOCKS];
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void set_bit(struct pool *pool, int block)
{
	pool->bitmap |= UINT64_C(1) << block;
	pm_clflushopt(&pool->bitmap); /* BUG-AT */
	pm_sfence();
}

static void set_owner(struct pool *pool, int block)
{
	pool->blocks[block].owner = block + 1;
	pm_clflushopt(&pool->blocks[block]);
	pm_sfence();
}

static void run(struct pool *pool)
{
	for (int block = 0; block < BLOCKS; block++) {
#if BUG
		set_bit(pool, block);
		set_owner(pool, block);
#else
		set_owner(pool, block);
		set_bit(pool, block);
#endif
	}
}

static const char *check(struct pool *pool)
{
	for (uint64_t block = 0; block < 64; block++)
		if ((pool->bitmap >> block & 1) && (block >= BLOCKS || pool->blocks[block].owner != block + 1))
			return "a used block has no owner";
	return NULL;
}

PM_MAIN
