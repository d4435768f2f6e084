/*
 * Five operations share one save(), and with it every flush and fence of the program. Four of them are right. The bug
 * is in the fifth, which changes the record in place and saves half of it: a tool that sees instruction addresses only
 * sees the flush in save() reached long before, in a good state.
 */
#include "pm.h"

struct record {
	uint64_t amount PM_ALIGNED;
	uint64_t interest PM_ALIGNED; /* always amount / 10 */
};

struct pool {
	uint64_t current PM_ALIGNED; /* which record counts */
	struct record records[2];
};

static void create(struct pool *pool)
{
	pool->records[0] = (struct record){.amount = 1000, .interest = 100};
}

static void save(const void *start, size_t length)
{
	pm_persist(start, length); /* AT save */
}

static void replace(struct pool *pool, uint64_t amount)
{
	struct record *next = &pool->records[1 - pool->current];
	next->amount = amount;
	next->interest = amount / 10;
	save(next, sizeof *next);
	pool->current = 1 - pool->current;
	save(&pool->current, sizeof pool->current);
}

static uint64_t amount(struct pool *pool)
{
	return pool->records[pool->current].amount;
}

static void deposit(struct pool *pool)
{
	replace(pool, amount(pool) + 100);
}

static void withdraw(struct pool *pool)
{
	replace(pool, amount(pool) - 50);
}

static void add_interest(struct pool *pool)
{
	replace(pool, amount(pool) + amount(pool) / 10);
}

static void round_up(struct pool *pool)
{
	replace(pool, (amount(pool) / 1000 + 1) * 1000);
}

static void correct_by(struct pool *pool, uint64_t difference)
{
#if BUG
	struct record *record = &pool->records[pool->current];
	record->amount += difference;
	save(&record->amount, sizeof record->amount); /* BUG-AT */
	record->interest = record->amount / 10;
	save(&record->interest, sizeof record->interest);
#else
	replace(pool, amount(pool) + difference);
#endif
}

static void run(struct pool *pool)
{
	for (int i = 0; i < 10; i++) {
		deposit(pool);
		withdraw(pool);
		add_interest(pool);
		if (i == 7)
			correct_by(pool, 333);
		round_up(pool);
	}
}

static const char *check(struct pool *pool)
{
	if (pool->current > 1)
		return "no such record";
	struct record *record = &pool->records[pool->current];
	return record->interest == record->amount / 10 ? NULL : "the interest does not belong to the amount";
}

PM_MAIN
