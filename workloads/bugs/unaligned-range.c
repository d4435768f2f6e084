/*
 * A record begins in the middle of a cache line and lies in three. The bug flushes in steps of a cache line from the
 * record's first byte on, which is one line too few; the twin begins at the start of the first line.
 */
#include "pm.h"

#define RECORDS 3
#define WORDS 16

struct record {
	char before[24] PM_ALIGNED;
	uint64_t words[WORDS]; /* bytes 24 to 151 */
};

struct pool {
	uint64_t valid PM_ALIGNED; /* how many records */
	struct record records[RECORDS];
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void flush_range(const void *start, size_t length)
{
	uintptr_t at = (uintptr_t)start, end = at + length;
#if !BUG
	at &= ~(uintptr_t)(PM_LINE - 1);
#endif
	for (; at < end; at += PM_LINE)
		pm_clwb(at); /* AT flush */
	pm_sfence(); /* AT fence */
}

static void write_record(struct record *record, uint64_t value)
{
	for (int i = 0; i < WORDS; i++)
		record->words[i] = value + i; /* AT words */
	flush_range(record->words, sizeof record->words);
}

static void set_valid(struct pool *pool, uint64_t valid)
{
	pool->valid = valid;
	pm_persist(&pool->valid, sizeof pool->valid); /* BUG-AT */
}

static void run(struct pool *pool)
{
	for (uint64_t i = 0; i < RECORDS; i++) {
		write_record(&pool->records[i], 100 * (i + 1));
		set_valid(pool, i + 1);
	}
	pm_leave();
}

static const char *check(struct pool *pool)
{
	for (uint64_t i = 0; i < pool->valid; i++)
		for (int j = 0; j < WORDS; j++)
			if (i >= RECORDS || pool->records[i].words[j] != 100 * (i + 1) + j)
				return "a valid record is not whole";
	return NULL;
}

PM_MAIN
