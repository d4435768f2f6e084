/*
 * pmemobj_flush() does not wait. The bug leaves out pmemobj_drain() between the data and the flag that vouches for it.
 */
#include "pmdk.h"

#define SLOTS 4

struct slot {
	uint64_t valid;
	char apart[PM_LINE]; /* the root object is not aligned to a cache line */
	uint64_t data;
	char apart_too[PM_LINE];
};

struct root {
	struct slot slots[SLOTS];
};

static void create(PMEMobjpool *pop, struct root *root)
{
	(void)pop;
	(void)root;
}

static void publish(PMEMobjpool *pop, struct slot *slot, uint64_t value)
{
	slot->data = value; /* AT data */
	pmemobj_flush(pop, &slot->data, sizeof slot->data); /* AT flush */
#if !BUG
	pmemobj_drain(pop);
#endif
	slot->valid = value;
	pmemobj_persist(pop, &slot->valid, sizeof slot->valid); /* BUG-AT, AT valid */
}

static void run(PMEMobjpool *pop, struct root *root)
{
	for (int i = 0; i < SLOTS; i++)
		publish(pop, &root->slots[i], i + 1);
}

static const char *check(PMEMobjpool *pop, struct root *root)
{
	(void)pop;
	for (int i = 0; i < SLOTS; i++)
		if (root->slots[i].valid != 0 && root->slots[i].data != root->slots[i].valid)
			return "a valid slot without its data";
	return NULL;
}

PMDK_MAIN
