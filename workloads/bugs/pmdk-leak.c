/*
 * A list of blocks of libpmemobj. The bug allocates a block into a variable and links it afterwards: a crash in between
 * leaves a block that is allocated and belongs to nothing. The twin lets the allocator set the link.
 */
#include "pmdk.h"

struct block {
	PMEMoid next;
	uint64_t number;
};

struct root {
	PMEMoid head;
};

struct contents {
	PMEMoid next;
	uint64_t number;
};

static int fill(PMEMobjpool *pop, void *start, void *argument)
{
	struct block *block = start;
	struct contents *contents = argument;
	block->next = contents->next;
	block->number = contents->number;
	pmemobj_persist(pop, block, sizeof *block);
	return 0;
}

static void create(PMEMobjpool *pop, struct root *root)
{
	(void)pop;
	(void)root;
}

static void push(PMEMobjpool *pop, struct root *root, uint64_t number)
{
	struct contents contents = {root->head, number};
#if BUG
	PMEMoid block;
	if (pmemobj_alloc(pop, &block, sizeof(struct block), 1, fill, &contents) != 0) /* BUG-AT */
		pmdk_fail("pmemobj_alloc");
	root->head = block;
	pmemobj_persist(pop, &root->head, sizeof root->head);
#else
	if (pmemobj_alloc(pop, &root->head, sizeof(struct block), 1, fill, &contents) != 0)
		pmdk_fail("pmemobj_alloc");
#endif
}

static void run(PMEMobjpool *pop, struct root *root)
{
	for (uint64_t number = 1; number <= 6; number++)
		push(pop, root, number);
}

static const char *check(PMEMobjpool *pop, struct root *root)
{
	int reachable = 0, allocated = 0;
	for (PMEMoid at = root->head; !OID_IS_NULL(at); at = ((struct block *)pmemobj_direct(at))->next)
		reachable++;
	for (PMEMoid at = pmemobj_first(pop); !OID_IS_NULL(at); at = pmemobj_next(at))
		allocated++;
	return reachable == allocated ? NULL : "a block leaked";
}

PMDK_MAIN
