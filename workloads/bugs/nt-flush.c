/* A cache line is filled past the cache, which leaves nothing in it to write back. The bug flushes it all the same. */
#include "pm.h"

#define BLOCKS 5
#define WORDS 7

struct block {
	uint64_t words[WORDS] PM_ALIGNED;
	uint64_t sum; /* of the words: they bypass the cache and may arrive in any order */
};

struct pool {
	struct block blocks[BLOCKS];
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void fill(struct block *block, uint64_t value)
{
	uint64_t sum = 0;
	for (int i = 0; i < WORDS; i++) {
		pm_store_nt(&block->words[i], value + i); /* AT words */
		sum += value + i;
	}
	pm_store_nt(&block->sum, sum); /* AT sum */
#if BUG
	pm_clwb(block); /* AT flush */
#endif
	pm_sfence(); /* AT fence */
}

static void run(struct pool *pool)
{
	for (int i = 0; i < BLOCKS; i++)
		fill(&pool->blocks[i], 10 * (i + 1));
}

static const char *check(struct pool *pool)
{
	for (int i = 0; i < BLOCKS; i++) {
		struct block *block = &pool->blocks[i];
		uint64_t sum = 0;
		for (int j = 0; j < WORDS; j++)
			sum += block->words[j];
		for (int j = 0; sum != 0 && block->sum == sum && j < WORDS; j++)
			if (block->words[j] != (uint64_t)(10 * (i + 1) + j))
				return "a whole block has a wrong word";
	}
	return NULL;
}

PM_MAIN
