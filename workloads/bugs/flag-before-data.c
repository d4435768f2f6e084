/* A slot is published by its valid flag. The bug sets the flag before the data. */
#include "pm.h"

#define SLOTS 4
#define WORDS 8

struct slot {
	uint64_t valid PM_ALIGNED;
	uint64_t data[WORDS] PM_ALIGNED;
};

struct pool {
	struct slot slots[SLOTS];
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void fill(struct slot *slot, uint64_t value)
{
	for (int i = 0; i < WORDS; i++)
		slot->data[i] = value + i;
	pm_persist(slot->data, sizeof slot->data);
}

static void publish(struct slot *slot, uint64_t value)
{
#if BUG
	slot->valid = value;
	pm_persist(&slot->valid, sizeof slot->valid); /* BUG-AT */
	fill(slot, value);
#else
	fill(slot, value);
	slot->valid = value;
	pm_persist(&slot->valid, sizeof slot->valid);
#endif
}

static void run(struct pool *pool)
{
	for (int i = 0; i < SLOTS; i++)
		publish(&pool->slots[i], 100 * (i + 1));
}

static const char *check(struct pool *pool)
{
	for (int i = 0; i < SLOTS; i++) {
		struct slot *slot = &pool->slots[i];
		for (int j = 0; slot->valid != 0 && j < WORDS; j++)
			if (slot->data[j] != slot->valid + j)
				return "a valid slot without its data";
	}
	return NULL;
}

PM_MAIN
