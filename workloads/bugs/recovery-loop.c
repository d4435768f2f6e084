/*
 * A fresh node's link is zero, which means node 0. The bug makes a node the head before its link is set: node 0 then
 * follows itself, and recovery walks for ever.
 */
#include "pm.h"

#define NODES 6
#define END UINT64_MAX

struct node {
	uint64_t next PM_ALIGNED; /* index */
};

struct pool {
	volatile uint64_t head PM_ALIGNED; /* index */
	struct node nodes[NODES];
};

static void create(struct pool *pool)
{
	pool->head = END;
}

static void set_head(struct pool *pool, uint64_t index)
{
	pool->head = index;
	pm_persist((void *)&pool->head, sizeof pool->head);
}

static void set_next(struct node *node, uint64_t next)
{
	node->next = next;
	pm_persist(node, sizeof *node);
}

static void push(struct pool *pool, uint64_t index)
{
	uint64_t next = pool->head;
#if BUG
	set_head(pool, index); /* BUG-AT */
	set_next(&pool->nodes[index], next);
#else
	set_next(&pool->nodes[index], next);
	set_head(pool, index);
#endif
}

static void run(struct pool *pool)
{
	for (uint64_t i = 0; i < NODES; i++)
		push(pool, i);
}

static const char *check(struct pool *pool)
{
	volatile uint64_t steps = 0; /* volatile: a loop without effect could be assumed to end */
	for (uint64_t at = pool->head; at != END; at = pool->nodes[at].next)
		steps++;
	uint64_t expected = pool->head == END ? 0 : pool->head + 1;
	return steps == expected ? NULL : "the list lost nodes";
}

PM_MAIN
