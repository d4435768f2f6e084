/*
 * A log of numbered entries and a head that counts them. The bug forgets to flush every fourth entry: at the first
 * occurrences of each failure point all is well; at the fourth the head may persist and the entry it counts be lost.
 */
#include "pm.h"

#define ENTRIES 24

struct entry {
	uint64_t number PM_ALIGNED;
};

struct pool {
	uint64_t head PM_ALIGNED;
	struct entry log[ENTRIES];
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void write_entry(struct entry *entry, uint64_t number)
{
	entry->number = number; /* AT number */
	if (!BUG || number % 4 != 0)
		pm_persist(entry, sizeof *entry);
}

static void advance(struct pool *pool, uint64_t number)
{
	pool->head = number;
	pm_persist(&pool->head, sizeof pool->head);
}

static void run(struct pool *pool)
{
	for (uint64_t number = 1; number <= ENTRIES; number++) {
		write_entry(&pool->log[number - 1], number);
		advance(pool, number);
	}
}

static const char *check(struct pool *pool)
{
	for (uint64_t number = 1; number <= pool->head; number++)
		if (number > ENTRIES || pool->log[number - 1].number != number)
			return "an entry was counted, but is not there";
	return NULL;
}

PM_MAIN
