/*
 * Money moves between two accounts. The bug persists one account after the other; the twin writes a new copy and
 * switches.
 */
#include "pm.h"

#define TOTAL 1000

struct accounts {
	uint64_t from PM_ALIGNED;
	uint64_t to PM_ALIGNED;
};

struct pool {
	uint64_t current PM_ALIGNED; /* which copy counts */
	struct accounts copies[2];
};

static void create(struct pool *pool)
{
	pool->copies[0].from = TOTAL;
}

static void transfer(struct pool *pool, uint64_t amount)
{
	struct accounts *now = &pool->copies[pool->current];
#if BUG
	now->from -= amount;
	pm_persist(&now->from, sizeof now->from); /* BUG-AT */
	now->to += amount;
	pm_persist(&now->to, sizeof now->to);
#else
	struct accounts *next = &pool->copies[1 - pool->current];
	next->from = now->from - amount;
	next->to = now->to + amount;
	pm_persist(next, sizeof *next); /* AT persist */
	pool->current = 1 - pool->current;
	pm_persist(&pool->current, sizeof pool->current);
#endif
}

static void run(struct pool *pool)
{
	for (uint64_t i = 1; i <= 5; i++)
		transfer(pool, 10 * i);
}

static const char *check(struct pool *pool)
{
	if (pool->current > 1)
		return "no such copy";
	struct accounts *now = &pool->copies[pool->current];
	return now->from + now->to == TOTAL ? NULL : "money was lost";
}

PM_MAIN
