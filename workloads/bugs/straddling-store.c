/*
 * Packed records: a value of eight bytes lies across two cache lines, written by one store. The bug flushes the line
 * that its first byte is in. The twin flushes both.
 */
#include "pm.h"

#define RECORDS 4

struct __attribute__((packed)) record {
	char before[60];
	uint64_t value; /* bytes 60 to 67 */
	char after[60];
};

struct pool {
	uint64_t valid PM_ALIGNED; /* how many records */
	struct record records[RECORDS] PM_ALIGNED;
};

static void create(struct pool *pool)
{
	(void)pool;
}

/* Writes and flushes every line once, so that none passes for data that was never meant to last. */
static void format(struct pool *pool)
{
	for (int i = 0; i < RECORDS; i++)
		for (int line = 0; line < 2; line++) {
			char *byte = (char *)&pool->records[i] + line * PM_LINE;
			*byte = 1;
			pm_persist(byte, 1);
		}
}

static void set(struct record *record, uint64_t value)
{
	__asm__ volatile("movq %1, %0" : "=m"(record->value) : "r"(value)); /* AT value */
	pm_clwb(&record->value); /* AT first-line */
#if !BUG
	pm_clwb((char *)&record->value + 7); /* AT second-line */
#endif
	pm_sfence(); /* AT fence */
}

static void run(struct pool *pool)
{
	format(pool);
	for (uint64_t i = 0; i < RECORDS; i++) {
		set(&pool->records[i], 0x1111111111111111 * (i + 1));
		pool->valid = i + 1;
		pm_persist(&pool->valid, sizeof pool->valid); /* BUG-AT */
	}
}

static const char *check(struct pool *pool)
{
	for (uint64_t i = 0; i < pool->valid; i++)
		if (i >= RECORDS || pool->records[i].value != 0x1111111111111111 * (i + 1))
			return "a valid record has half a value";
	return NULL;
}

PM_MAIN
