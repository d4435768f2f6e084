/*
 * A ring buffer whose recovery asserts what it relies on. The bug moves the tail past the head for a moment: SIGABRT.
 */
#include "pm.h"

#include <assert.h>

#define SLOTS 8

struct pool {
	uint64_t head PM_ALIGNED; /* next to write */
	uint64_t tail PM_ALIGNED; /* next to read, never past the head */
	uint64_t slots[SLOTS] PM_ALIGNED;
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void put(struct pool *pool, uint64_t value)
{
	pool->slots[pool->head % SLOTS] = value;
	pm_persist(&pool->slots[pool->head % SLOTS], sizeof(uint64_t));
	pool->head++;
	pm_persist(&pool->head, sizeof pool->head);
}

static void skip(struct pool *pool, uint64_t count)
{
	pool->tail += count;
	pm_persist(&pool->tail, sizeof pool->tail);
}

/* Throws away all there is and leaves a gap of one slot, so that readers notice. */
static void reset(struct pool *pool)
{
#if BUG
	skip(pool, pool->head - pool->tail + 1); /* BUG-AT */
	put(pool, 0); /* BUG-AT */
#else
	put(pool, 0);
	skip(pool, pool->head - pool->tail);
#endif
}

static void run(struct pool *pool)
{
	for (uint64_t value = 1; value <= 10; value++) {
		put(pool, value);
		if (value % 4 == 0)
			reset(pool);
	}
}

static const char *check(struct pool *pool)
{
	assert(pool->tail <= pool->head); /* CRASH-AT */
	return pool->head - pool->tail <= SLOTS ? NULL : "the ring overflowed";
}

PM_MAIN
