/*
 * The two ends of a range are stored by one instruction of 16 bytes. No power cut falls into the instruction, but of
 * its two words either may reach memory without the other; recovery only minds when it is the second. The twin writes
 * the range beside the current one and switches by one word.
 */
#include "pm.h"

#define ROUNDS 5
#define LENGTH 10

struct range {
	uint64_t end PM_ALIGNED;
	uint64_t begin;
};

typedef uint64_t two_words __attribute__((vector_size(16)));

struct pool {
	uint64_t rounds PM_ALIGNED; /* the current range is `rounds % 2` in the twin, 0 in the bug */
	struct range ranges[2];
};

static void create(struct pool *pool)
{
	for (int i = 0; i < 2; i++)
		pool->ranges[i].end = LENGTH;
}

static void set_range(struct range *range, uint64_t begin)
{
	*(volatile two_words *)&range->end = (two_words){begin + LENGTH, begin}; /* AT range */
	pm_persist(range, sizeof *range); /* BUG-AT */
}

static void set_rounds(struct pool *pool, uint64_t rounds)
{
	pool->rounds = rounds;
	pm_persist(&pool->rounds, sizeof pool->rounds);
}

static void run(struct pool *pool)
{
	for (uint64_t round = 1; round <= ROUNDS; round++) {
		set_range(&pool->ranges[BUG ? 0 : round % 2], 1000 * round);
		set_rounds(pool, round);
	}
}

static const char *check(struct pool *pool)
{
	struct range *current = &pool->ranges[BUG ? 0 : pool->rounds % 2];
	return current->begin <= current->end ? NULL : "the range ends before it begins";
}

PM_MAIN
