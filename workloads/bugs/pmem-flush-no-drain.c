/*
 * A count is flushed with pmem_flush(), which does not wait. The bug leaves out pmem_drain(): the next record's drain
 * waits for both, in no order, and nothing waits for the last count.
 */
#include "pm.h"

#include <libpmem.h>

#define RECORDS 5

struct pool {
	uint64_t count PM_ALIGNED;
	struct {
		uint64_t number PM_ALIGNED; /* from 1; 0: not there */
	} records[RECORDS];
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void append(struct pool *pool, uint64_t number)
{
	pool->records[number - 1].number = number;
	pmem_persist(&pool->records[number - 1], PM_LINE); /* AT record */
	pool->count = number; /* AT count */
	pmem_flush(&pool->count, sizeof pool->count); /* AT flush-count */
#if !BUG
	pmem_drain();
#endif
}

static void run(struct pool *pool)
{
	append(pool, 1);
	for (uint64_t number = 2; number <= RECORDS; number++)
		append(pool, number); /* BUG-AT */
	pm_leave();
}

static const char *check(struct pool *pool)
{
	uint64_t there = 0;
	while (there < RECORDS && pool->records[there].number == there + 1)
		there++;
	return pool->count == there || pool->count + 1 == there ? NULL : "the count is far behind";
}

PM_MAIN
