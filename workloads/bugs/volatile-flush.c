/*
 * A record is put together in volatile memory and then copied. The bug flushes the volatile one as well, out of
 * caution.
 */
#include "pm.h"

#define RECORDS 6

struct record {
	uint64_t number PM_ALIGNED; /* from 1; 0: never written */
};

struct pool {
	struct record records[RECORDS];
};

static struct record staged;

static void create(struct pool *pool)
{
	(void)pool;
}

static void stage(uint64_t number)
{
	staged.number = number;
#if BUG
	pm_clwb(&staged); /* AT staged */
#endif
}

static void store(struct record *record)
{
	record->number = staged.number;
	pm_persist(record, sizeof *record);
}

static void run(struct pool *pool)
{
	for (uint64_t i = 0; i < RECORDS; i++) {
		stage(i + 1);
		store(&pool->records[i]);
	}
}

static const char *check(struct pool *pool)
{
	for (uint64_t i = 0; i < RECORDS; i++)
		if (pool->records[i].number != 0 && pool->records[i].number != i + 1)
			return "a record has another's number";
	return NULL;
}

PM_MAIN
