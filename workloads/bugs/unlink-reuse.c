/*
 * A node is taken out of one list and goes to another. The bug flushes the unlinking at the end: the node may have its
 * new content while the old list still leads to it.
 */
#include "pm.h"

#define NODES 5

struct node {
	uint64_t next PM_ALIGNED; /* 1 + index, 0 is the end */
	uint64_t list; /* 1 or 2 */
};

struct pool {
	uint64_t second PM_ALIGNED; /* the head of list 2; that of list 1 is node 0 */
	struct node nodes[NODES];
};

static void create(struct pool *pool)
{
	for (uint64_t i = 0; i < NODES; i++)
		pool->nodes[i] = (struct node){.next = i + 1 < NODES ? i + 2 : 0, .list = 1};
}

static void reuse(struct pool *pool, struct node *node)
{
	node->list = 2; /* AT list */
	pm_compiler_barrier();
	node->next = pool->second; /* AT next */
	pm_persist(node, sizeof *node); /* AT persist */
}

static void push(struct pool *pool, uint64_t node)
{
	pool->second = node;
	pm_persist(&pool->second, sizeof pool->second);
}

static void move(struct pool *pool)
{
	struct node *first = &pool->nodes[0];
	uint64_t moved = first->next;
	first->next = pool->nodes[moved - 1].next; /* AT unlink */
#if !BUG
	pm_persist(first, sizeof *first);
#endif
	reuse(pool, &pool->nodes[moved - 1]); /* BUG-AT */
	push(pool, moved); /* BUG-AT */
#if BUG
	pm_persist(first, sizeof *first);
#endif
}

static void run(struct pool *pool)
{
	for (int i = 0; i < 3; i++)
		move(pool);
}

static int holds(const struct pool *pool, uint64_t list, uint64_t head)
{
	uint64_t steps = 0;
	for (uint64_t at = head; at != 0; at = pool->nodes[at - 1].next)
		if (at > NODES || ++steps > NODES || pool->nodes[at - 1].list != list)
			return 0;
	return 1;
}

static const char *check(struct pool *pool)
{
	return holds(pool, 1, 1) && holds(pool, 2, pool->second) ? NULL : "a list leads to a node of the other one";
}

PM_MAIN
