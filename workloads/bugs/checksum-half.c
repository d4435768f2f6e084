/*
 * A log without flags: a record counts when its checksum is right, so that record and checksum need one fence together.
 * The bug's checksum covers the first of the record's two cache lines: it may arrive without the second.
 */
#include "pm.h"

#define RECORDS 3
#define WORDS 16

struct record {
	uint64_t words[WORDS] PM_ALIGNED;
	uint64_t sequence PM_ALIGNED; /* from 1 */
	uint64_t checksum;
};

struct pool {
	struct record records[RECORDS];
};

static void create(struct pool *pool)
{
	(void)pool;
}

static uint64_t checksum(const struct record *record, uint64_t sequence)
{
	uint64_t sum = 14695981039346656037u ^ sequence;
	for (int i = 0; i < (BUG ? WORDS / 2 : WORDS); i++)
		sum = (sum ^ record->words[i]) * 1099511628211u;
	return sum;
}

static void append(struct record *record, uint64_t sequence)
{
	for (int i = 0; i < WORDS; i++)
		record->words[i] = sequence * 100 + i; /* AT words */
	pm_clwb(&record->words[0]); /* AT first */
	pm_clwb(&record->words[WORDS / 2]);
	record->sequence = sequence; /* AT sequence */
	record->checksum = checksum(record, sequence); /* AT checksum */
	pm_clwb(&record->sequence); /* BUG-AT, AT last */
	pm_sfence(); /* AT fence */
}

static void run(struct pool *pool)
{
	for (uint64_t sequence = 1; sequence <= RECORDS; sequence++)
		append(&pool->records[sequence - 1], sequence);
}

static const char *check(struct pool *pool)
{
	for (uint64_t i = 0; i < RECORDS; i++) {
		struct record *record = &pool->records[i];
		if (record->sequence != i + 1 || record->checksum != checksum(record, i + 1))
			return NULL; /* the end of the log */
		for (int j = 0; j < WORDS; j++)
			if (record->words[j] != (i + 1) * 100 + j)
				return "a torn record has a good checksum";
	}
	return NULL;
}

PM_MAIN
