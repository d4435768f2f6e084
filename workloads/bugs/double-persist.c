/* A setter makes its word durable. The bug: two of its callers do so again, each at a place of its own. */
#include "pm.h"

#define ROUNDS 6

struct pool {
	uint64_t owner PM_ALIGNED;
	uint64_t size PM_ALIGNED;
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void set(uint64_t *word, uint64_t value)
{
	*word = value;
	pm_persist(word, sizeof *word); /* AT set */
}

static void change_owner(struct pool *pool, uint64_t owner)
{
	set(&pool->owner, owner);
#if BUG
	pm_persist(&pool->owner, sizeof pool->owner); /* AT owner */
#endif
}

static void resize(struct pool *pool, uint64_t size)
{
	set(&pool->size, size);
#if BUG
	pm_persist(&pool->size, sizeof pool->size); /* AT size */
#endif
}

static void run(struct pool *pool)
{
	for (uint64_t round = 1; round <= ROUNDS; round++) {
		change_owner(pool, round);
		if (round % 2 == 0)
			resize(pool, 10 * round);
	}
}

static const char *check(struct pool *pool)
{
	return pool->size <= 10 * pool->owner ? NULL : "resized before the owner changed";
}

PM_MAIN
