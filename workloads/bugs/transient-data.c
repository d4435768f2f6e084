/* Scratch space that recovery never reads and nobody ever flushes. The bug keeps it in persistent memory. */
#include "pm.h"

#define WORDS 64

struct pool {
	uint64_t sum PM_ALIGNED;
	uint64_t rounds;
	uint64_t scratch[WORDS] PM_ALIGNED;
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void add_round(struct pool *pool, uint64_t *scratch)
{
	uint64_t sum = 0;
	for (int i = 0; i < WORDS; i++)
		scratch[i] = (pool->rounds + 1) * (i + 1); /* AT scratch */
	pm_compiler_barrier();
	for (int i = 0; i < WORDS; i++)
		sum += scratch[i];
	pool->sum = sum; /* AT sum */
	pm_compiler_barrier(); /* one cache line: the round last */
	pool->rounds++; /* AT rounds */
	pm_persist(&pool->sum, 2 * sizeof(uint64_t)); /* AT persist */
}

static void run(struct pool *pool)
{
	uint64_t volatile_scratch[WORDS];
	for (int round = 0; round < 4; round++)
		add_round(pool, BUG ? pool->scratch : volatile_scratch);
}

static const char *check(struct pool *pool)
{
	uint64_t here = pool->rounds * WORDS * (WORDS + 1) / 2, next = (pool->rounds + 1) * WORDS * (WORDS + 1) / 2;
	return pool->sum == here || pool->sum == next ? NULL : "the sum does not belong to the round";
}

PM_MAIN
