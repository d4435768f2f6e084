/* Recovery follows offsets kept in the file. The bug counts an offset as used before it is set: recovery gets SIGSEGV. */
#include "pm.h"

#define RECORDS 8
#define UNSET 0x4000000000000000u /* makes an address that no process can have */

struct record {
	uint64_t value PM_ALIGNED;
};

struct pool {
	uint64_t used PM_ALIGNED;
	uint64_t offsets[RECORDS] PM_ALIGNED; /* of a record, from the pool's start */
	struct record records[RECORDS];
};

static void create(struct pool *pool)
{
	for (int i = 0; i < RECORDS; i++) {
		pool->offsets[i] = UNSET;
		pool->records[i].value = i + 1;
	}
}

static void set_used(struct pool *pool, uint64_t used)
{
	pool->used = used;
	pm_persist(&pool->used, sizeof pool->used);
}

static void set_offset(struct pool *pool, uint64_t index)
{
	pool->offsets[index] = (char *)&pool->records[index] - (char *)pool;
	pm_persist(&pool->offsets[index], sizeof pool->offsets[index]);
}

static void add(struct pool *pool)
{
	uint64_t index = pool->used;
#if BUG
	set_used(pool, index + 1); /* BUG-AT */
	set_offset(pool, index);
#else
	set_offset(pool, index);
	set_used(pool, index + 1);
#endif
}

static void run(struct pool *pool)
{
	for (int i = 0; i < RECORDS; i++)
		add(pool);
}

static uint64_t read_value(struct pool *pool, uint64_t offset)
{
	struct record *record = (struct record *)((char *)pool + offset);
	return record->value; /* CRASH-AT */
}

static const char *check(struct pool *pool)
{
	uint64_t sum = 0;
	for (uint64_t i = 0; i < pool->used; i++)
		sum += read_value(pool, pool->offsets[i]);
	return sum == pool->used * (pool->used + 1) / 2 ? NULL : "the records do not add up";
}

PM_MAIN
