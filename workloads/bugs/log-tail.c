/*
 * A log's header has its count and its tail in one cache line. The bug stores the tail after the flush and leaves it
 * there: as a rule the next append's flush takes it along, too late, and the last one none.
 */
#include "pm.h"

#define ENTRIES 6

struct pool {
	struct {
		uint64_t count PM_ALIGNED;
		uint64_t tail;
	} header;
	struct {
		uint64_t number PM_ALIGNED; /* from 1; 0: not there */
	} entries[ENTRIES];
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void append(struct pool *pool, uint64_t number)
{
	pool->entries[number - 1].number = number;
	pm_persist(&pool->entries[number - 1], PM_LINE);
	pool->header.count = number; /* AT count */
	pm_persist(&pool->header.count, sizeof pool->header.count); /* AT persist-count */
	pool->header.tail = number; /* AT tail */
#if !BUG
	pm_persist(&pool->header.tail, sizeof pool->header.tail);
#endif
}

static void run(struct pool *pool)
{
	append(pool, 1);
	for (uint64_t number = 2; number <= ENTRIES; number++)
		append(pool, number); /* BUG-AT */
	pm_leave();
}

static const char *check(struct pool *pool)
{
	uint64_t there = 0;
	while (there < ENTRIES && pool->entries[there].number == there + 1)
		there++;
	return pool->header.tail == there || pool->header.tail + 1 == there ? NULL : "the tail is far behind";
}

PM_MAIN
