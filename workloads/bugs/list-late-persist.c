/*
 * A new node is filled, linked in, and only then persisted. In program order every crash finds the node full; but the
 * head's cache line may reach the medium before the node's.
 */
#include "pm.h"

#define NODES 8

struct node {
	uint64_t next PM_ALIGNED; /* 1 + index, 0 ends the list */
	uint64_t value;
	uint64_t check; /* ~value */
};

struct pool {
	uint64_t head PM_ALIGNED; /* 1 + index */
	struct node nodes[NODES];
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void push(struct pool *pool, uint64_t index, uint64_t value)
{
	struct node *node = &pool->nodes[index];
	node->next = pool->head; /* AT next */
	node->value = value;
	node->check = ~value; /* AT check */
#if !BUG
	pm_persist(node, sizeof *node); /* AT persist-early */
#endif
	pm_compiler_barrier();
	pool->head = index + 1;
	pm_persist(&pool->head, sizeof pool->head); /* BUG-AT */
#if BUG
	pm_persist(node, sizeof *node); /* AT persist-late */
#endif
}

static void run(struct pool *pool)
{
	for (uint64_t i = 0; i < NODES; i++)
		push(pool, i, 1000 + i);
}

static const char *check(struct pool *pool)
{
	uint64_t steps = 0;
	for (uint64_t at = pool->head; at != 0; at = pool->nodes[at - 1].next) {
		if (at > NODES || ++steps > NODES)
			return "the list leads nowhere";
		if (pool->nodes[at - 1].check != ~pool->nodes[at - 1].value)
			return "the list holds a node that was not filled";
	}
	return steps == pool->head ? NULL : "the list lost nodes"; /* node i is pushed i-th */
}

PM_MAIN
