/*
 * A packed value lies across two cache lines, is changed in place by one store, and both lines are flushed. Still one
 * may arrive without the other. The twin has the value at the start of the second line.
 */
#include "pm.h"

#define ROUNDS 5
#define PATTERN 0x0101010101010101u

struct __attribute__((packed)) pool {
	char before[BUG ? 60 : 64];
	uint64_t value; /* a multiple of PATTERN */
	char after[BUG ? 60 : 56];
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void set(struct pool *pool, uint64_t value)
{
	__asm__ volatile("movq %1, %0" : "=m"(pool->value) : "r"(value)); /* AT value */
	pm_persist((char *)pool + sizeof pool->before, sizeof value); /* BUG-AT, AT persist */
}

static void run(struct pool *pool)
{
	for (uint64_t round = 1; round <= ROUNDS; round++)
		set(pool, PATTERN * round);
}

static const char *check(struct pool *pool)
{
	return pool->value % PATTERN == 0 && pool->value <= PATTERN * ROUNDS ? NULL : "the value is torn";
}

PM_MAIN
