/* A record that lies across two cache lines. The bug flushes the line it begins in, and not the one it ends in. */
#include "pm.h"

#define RECORDS 4

struct record {
	char before[40]; /* moves the words across a line */
	uint64_t words[6];
	char after[40];
};

struct pool {
	uint64_t valid PM_ALIGNED; /* how many records */
	struct record records[RECORDS] PM_ALIGNED;
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void flush_record(struct record *record)
{
	pm_clwb(&record->words[0]); /* AT first-line */
#if !BUG
	pm_clwb(&record->words[5]); /* AT second-line */
#endif
	pm_sfence(); /* AT fence */
}

static void write_record(struct record *record, uint64_t value)
{
	for (int i = 0; i < 6; i++)
		record->words[i] = value + i; /* AT words */
	flush_record(record);
}

static void format(struct pool *pool)
{
	for (int i = 0; i < RECORDS; i++) {
		for (int j = 0; j < 6; j++)
			pool->records[i].words[j] = UINT64_MAX;
		pm_persist(&pool->records[i], sizeof pool->records[i]); /* AT format */
	}
}

static void run(struct pool *pool)
{
	format(pool);
	for (uint64_t i = 0; i < RECORDS; i++) {
		write_record(&pool->records[i], 100 * i);
		pool->valid = i + 1;
		pm_persist(&pool->valid, sizeof pool->valid); /* BUG-AT */
	}
}

static const char *check(struct pool *pool)
{
	for (uint64_t i = 0; i < pool->valid; i++)
		for (int j = 0; j < 6; j++)
			if (i >= RECORDS || pool->records[i].words[j] != 100 * i + j)
				return "a valid record lost its end";
	return NULL;
}

PM_MAIN
