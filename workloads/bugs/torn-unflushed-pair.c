/*
 * Two words that belong together are stored one after the other and never flushed. A power cut between the two stores
 * shows that they tear, the trace that they are not durable; a report has one finding for both. The twin has one word,
 * and flushes it.
 */
#include "pm.h"

#define ROUNDS 4
#define BAD "the low word does not belong to the high word"

struct pair {
	volatile uint64_t low PM_ALIGNED;
	volatile uint64_t high;
	volatile uint64_t packed PM_ALIGNED; /* low in the lower half, high in the upper half */
};

struct pool {
	uint64_t rounds PM_ALIGNED;
	struct pair pairs[ROUNDS];
};

static void create(struct pool *pool)
{
	(void)pool;
}

/* Flushes the pairs once, so that none passes for data that was never meant to last. */
static void format(struct pool *pool)
{
	for (int i = 0; i < ROUNDS; i++) {
		pool->pairs[i].low = 0;
		pm_persist((void *)&pool->pairs[i].low, sizeof(uint64_t));
	}
}

static void update(struct pair *pair, uint64_t value)
{
#if BUG
	pair->low = value; /* AT low */
	pair->high = 3 * value; /* AT high, BUG-AT */
#else
	pair->packed = value | 3 * value << 32;
	pm_persist((void *)&pair->packed, sizeof pair->packed);
#endif
}

static void run(struct pool *pool)
{
	format(pool);
	for (uint64_t round = 1; round <= ROUNDS; round++) {
		update(&pool->pairs[round - 1], round);
		pool->rounds = round;
		pm_persist(&pool->rounds, sizeof pool->rounds);
	}
}

static const char *check(struct pool *pool)
{
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t packed = pool->pairs[i].packed;
		if (pool->pairs[i].high != 3 * pool->pairs[i].low || packed >> 32 != 3 * (packed & 0xffffffff))
			return BAD;
	}
	return NULL;
}

PM_MAIN
