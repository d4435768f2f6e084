/* A new node becomes the head of a list. The bug links it in before it is filled. */
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

static void fill(struct node *node, uint64_t next, uint64_t value)
{
	node->next = next; /* AT next */
	node->value = value;
	node->check = ~value; /* AT check */
	pm_persist(node, sizeof *node); /* AT persist */
}

static void set_head(struct pool *pool, uint64_t head)
{
	pool->head = head;
	pm_persist(&pool->head, sizeof pool->head);
}

static void push(struct pool *pool, uint64_t index, uint64_t value)
{
	uint64_t next = pool->head;
#if BUG
	set_head(pool, index + 1); /* BUG-AT */
	fill(&pool->nodes[index], next, value);
#else
	fill(&pool->nodes[index], next, value);
	set_head(pool, index + 1);
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
