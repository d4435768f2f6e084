/* A block in use is replaced by a new one. The bug frees the old block while the root still leads to it. */
#include "pmdk.h"

struct block {
	uint64_t number;
	uint64_t words[15];
};

struct root {
	PMEMoid current;
};

static int fill(PMEMobjpool *pop, void *start, void *argument)
{
	struct block *block = start;
	block->number = *(uint64_t *)argument;
	pmemobj_persist(pop, &block->number, sizeof block->number);
	return 0;
}

static void create(PMEMobjpool *pop, struct root *root)
{
	uint64_t number = 0;
	if (pmemobj_alloc(pop, &root->current, sizeof(struct block), 1, fill, &number) != 0)
		pmdk_fail("pmemobj_alloc");
}

static void replace(PMEMobjpool *pop, struct root *root, uint64_t number)
{
#if BUG
	PMEMoid old = root->current;
	pmemobj_free(&old); /* BUG-AT */
	if (pmemobj_alloc(pop, &root->current, sizeof(struct block), 1, fill, &number) != 0) /* BUG-AT */
		pmdk_fail("pmemobj_alloc");
#else
	/* One redo log for all three: the new block, the link to it, and the end of the old block. */
	struct pobj_action actions[3];
	PMEMoid next = pmemobj_reserve(pop, &actions[0], sizeof(struct block), 1);
	if (OID_IS_NULL(next))
		pmdk_fail("pmemobj_reserve");
	fill(pop, pmemobj_direct(next), &number);
	pmemobj_defer_free(pop, root->current, &actions[1]);
	pmemobj_set_value(pop, &actions[2], &root->current.off, next.off);
	if (pmemobj_publish(pop, actions, 3) != 0)
		pmdk_fail("pmemobj_publish");
#endif
}

static void run(PMEMobjpool *pop, struct root *root)
{
	for (uint64_t number = 1; number <= 4; number++)
		replace(pop, root, number);
}

static const char *check(PMEMobjpool *pop, struct root *root)
{
	for (PMEMoid at = pmemobj_first(pop); !OID_IS_NULL(at); at = pmemobj_next(at))
		if (OID_EQUALS(at, root->current))
			return NULL;
	return "the root leads to a block that was freed";
}

PMDK_MAIN
