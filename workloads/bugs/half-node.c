/*
 * A search tree's node has a cache line of keys and one of children, and is replaced by a copy with one key more. The
 * bug flushes the keys and forgets the children: the root leads to a node that leads nowhere, and recovery follows it.
 */
#include "pm.h"

#define KEYS 4

struct node {
	uint64_t keys[PM_LINE / sizeof(uint64_t)] PM_ALIGNED;
	uint64_t children[PM_LINE / sizeof(uint64_t)] PM_ALIGNED; /* offsets in the pool; 0 is none */
};

struct leaf {
	uint64_t key PM_ALIGNED;
};

struct pool {
	uint64_t root PM_ALIGNED; /* 1 + index of the node, which has as many keys */
	struct node nodes[KEYS];
	struct leaf leaves[KEYS];
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void write_node(struct pool *pool, struct node *node, uint64_t keys)
{
	for (uint64_t i = 0; i < keys; i++) {
		node->keys[i] = 10 * (i + 1); /* AT key */
		node->children[i] = (uint64_t)((char *)&pool->leaves[i] - (char *)pool); /* AT child */
	}
	pm_clwb(node->keys); /* AT flush-keys */
#if !BUG
	pm_clwb(node->children); /* AT flush-children */
#endif
	pm_sfence(); /* AT fence */
}

static void set_root(struct pool *pool, uint64_t root)
{
	pool->root = root;
	pm_persist(&pool->root, sizeof pool->root); /* BUG-AT */
}

static void insert(struct pool *pool, uint64_t index)
{
	pool->leaves[index].key = 10 * (index + 1);
	pm_persist(&pool->leaves[index], sizeof pool->leaves[index]);
	write_node(pool, &pool->nodes[index], index + 1);
	set_root(pool, index + 1);
}

static void run(struct pool *pool)
{
	for (uint64_t index = 0; index < KEYS; index++)
		insert(pool, index);
	pm_leave();
}

static uint64_t key_of(const struct leaf *leaf)
{
	return leaf->key; /* CRASH-AT */
}

static const char *check(struct pool *pool)
{
	for (uint64_t i = 0; i < pool->root; i++) {
		struct node *node = &pool->nodes[pool->root - 1];
		uint64_t offset = node->children[i];
		if (key_of(offset == 0 ? NULL : (struct leaf *)((char *)pool + offset)) != node->keys[i])
			return "a key leads to another one's leaf";
	}
	return NULL;
}

PM_MAIN
