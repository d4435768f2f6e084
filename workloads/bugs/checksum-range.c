/*
 * A record is written in place, a piece at a time, and a checksum shows recovery whether it is whole. The bug computes
 * it over the first half of the record only, so recovery takes a torn record for a good one.
 */
#include "pm.h"

#define WORDS 16
#define COPIES 2

struct record {
	uint64_t sequence PM_ALIGNED;
	uint64_t checksum;
	uint64_t words[WORDS] PM_ALIGNED;
};

struct pool {
	struct record records[COPIES]; /* written in turn */
};

static uint64_t checksum(const struct record *record)
{
	uint64_t sum = 14695981039346656037u ^ record->sequence;
#if BUG
	int covered = WORDS / 2;
#else
	int covered = WORDS;
#endif
	for (int i = 0; i < covered; i++)
		sum = (sum ^ record->words[i]) * 1099511628211u;
	return sum;
}

static void create(struct pool *pool)
{
	for (int i = 0; i < COPIES; i++)
		pool->records[i].checksum = checksum(&pool->records[i]);
}

static void write_record(struct record *record, uint64_t sequence)
{
	struct record next = {.sequence = sequence};
	for (int i = 0; i < WORDS; i++)
		next.words[i] = sequence * (i + 1);
	next.checksum = checksum(&next);

	record->sequence = next.sequence; /* AT sequence */
	record->checksum = next.checksum; /* AT checksum */
	pm_persist(record, 2 * sizeof(uint64_t)); /* AT persist */
	pm_copy(record->words, next.words, sizeof next.words / 2);
	pm_persist(record->words, sizeof record->words / 2); /* BUG-AT */
	pm_copy(record->words + WORDS / 2, next.words + WORDS / 2, sizeof next.words / 2);
	pm_persist(record->words + WORDS / 2, sizeof record->words / 2);
}

static void run(struct pool *pool)
{
	for (uint64_t sequence = 1; sequence <= 6; sequence++)
		write_record(&pool->records[sequence % COPIES], sequence);
}

static const char *check(struct pool *pool)
{
	int whole = 0;
	for (int i = 0; i < COPIES; i++) {
		struct record *record = &pool->records[i];
		if (record->checksum != checksum(record))
			continue; /* torn: the other copy counts */
		whole++;
		for (int j = 0; j < WORDS; j++)
			if (record->words[j] != record->sequence * (j + 1))
				return "a torn record has a good checksum";
	}
	return whole > 0 ? NULL : "no whole record is left";
}

PM_MAIN
