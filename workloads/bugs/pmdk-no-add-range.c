/*
 * A transaction moves money between two accounts. The bug does not add the second to it, so a rollback restores one
 * only.
 */
#include "pmdk.h"

#define TOTAL 1000

struct root {
	uint64_t from;
	char gap[512]; /* keeps the accounts out of each other's cache lines */
	uint64_t to;
};

static void create(PMEMobjpool *pop, struct root *root)
{
	root->from = TOTAL;
	pmemobj_persist(pop, &root->from, sizeof root->from);
}

static void transfer(PMEMobjpool *pop, struct root *root, uint64_t amount)
{
	if (pmemobj_tx_begin(pop, NULL, TX_PARAM_NONE) != 0)
		pmdk_fail("pmemobj_tx_begin");
	pmemobj_tx_add_range_direct(&root->from, sizeof root->from);
	root->from -= amount;
#if BUG
	root->to += amount; /* AT to */
#else
	pmemobj_tx_add_range_direct(&root->to, sizeof root->to);
	root->to += amount;
#endif
	pmemobj_tx_commit(); /* BUG-AT */
	pmemobj_tx_end();
}

static void run(PMEMobjpool *pop, struct root *root)
{
	for (uint64_t amount = 1; amount <= 5; amount++)
		transfer(pop, root, amount);
}

static const char *check(PMEMobjpool *pop, struct root *root)
{
	(void)pop;
	return root->from + root->to == TOTAL ? NULL : "money was lost or made";
}

PMDK_MAIN
