/*
 * A queue of tickets whose head is moved by an atomic exchange, which has the effect of a fence. The bug counts a
 * ticket before the exchange: the exchange is the failure point.
 */
#include "pm.h"

#define TICKETS 6

struct pool {
	uint64_t issued PM_ALIGNED; /* never more than `newest` */
	uint64_t newest PM_ALIGNED;
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void issue(struct pool *pool)
{
	uint64_t next = pool->newest + 1;
#if BUG
	pool->issued = next;
	__atomic_exchange_n(&pool->newest, next, __ATOMIC_SEQ_CST); /* BUG-AT */
	pm_clflush(&pool->newest);
	pm_clflush(&pool->issued);
	pm_mfence();
#else
	__atomic_exchange_n(&pool->newest, next, __ATOMIC_SEQ_CST);
	pm_clflush(&pool->newest);
	pm_mfence();
	pool->issued = next;
	pm_clflush(&pool->issued);
	pm_mfence();
#endif
}

static void run(struct pool *pool)
{
	for (int i = 0; i < TICKETS; i++)
		issue(pool);
}

static const char *check(struct pool *pool)
{
	return pool->issued <= pool->newest ? NULL : "a ticket was issued that does not exist";
}

PM_MAIN
