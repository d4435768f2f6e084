/*
 * Data is copied with libpmem, which chooses how. The bug does not drain the copy before the flag says that it is
 * there.
 */
#include "pm.h"

#include <libpmem.h>

#define SLOTS 2
#define BYTES 256

struct slot {
	uint64_t valid PM_ALIGNED; /* what the data is filled with */
	char data[BYTES] PM_ALIGNED;
};

struct pool {
	struct slot slots[SLOTS];
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void publish(struct slot *slot, uint64_t value)
{
	char data[BYTES];
	memset(data, (int)value, sizeof data);
	pmem_memcpy_nodrain(slot->data, data, sizeof data); /* AT data */
#if !BUG
	pmem_drain(); /* AT drain */
#endif
	slot->valid = value;
	pmem_persist(&slot->valid, sizeof slot->valid); /* BUG-AT, AT valid */
}

static void run(struct pool *pool)
{
	for (int i = 0; i < SLOTS; i++)
		publish(&pool->slots[i], i + 1);
}

static const char *check(struct pool *pool)
{
	for (int i = 0; i < SLOTS; i++)
		for (int j = 0; pool->slots[i].valid != 0 && j < BYTES; j++)
			if (pool->slots[i].data[j] != (char)pool->slots[i].valid)
				return "a valid slot without its data";
	return NULL;
}

PM_MAIN
