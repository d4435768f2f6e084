/* An append-only log with a length. The bug advances the length before the record is there. */
#include "pm.h"

#define RECORDS 16

struct record {
	uint64_t number PM_ALIGNED; /* from 1 */
	char text[PM_LINE - sizeof(uint64_t)];
};

struct pool {
	uint64_t length PM_ALIGNED;
	struct record records[RECORDS];
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void write_record(struct record *record, uint64_t number)
{
	struct record next = {.number = number};
	snprintf(next.text, sizeof next.text, "record number %lu", (unsigned long)number);
	pm_copy(record, &next, sizeof next);
	pm_persist(record, sizeof *record);
}

static void advance(struct pool *pool)
{
	pool->length++;
	pm_persist(&pool->length, sizeof pool->length);
}

static void append(struct pool *pool)
{
	struct record *record = &pool->records[pool->length];
	uint64_t number = pool->length + 1;
#if BUG
	advance(pool); /* BUG-AT */
	write_record(record, number);
#else
	write_record(record, number);
	advance(pool);
#endif
}

static void run(struct pool *pool)
{
	for (int i = 0; i < RECORDS; i++)
		append(pool);
}

static const char *check(struct pool *pool)
{
	for (uint64_t i = 0; i < pool->length; i++) {
		char expected[sizeof pool->records[i].text];
		snprintf(expected, sizeof expected, "record number %lu", (unsigned long)i + 1);
		if (pool->records[i].number != i + 1 || strcmp(pool->records[i].text, expected) != 0)
			return "the log ends in a record that was not written";
	}
	return NULL;
}

PM_MAIN
