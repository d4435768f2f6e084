/*
 * A stack whose top and version change together, by a compare-and-swap. The bug's is one of 16 bytes: other threads see
 * both words change at once, but a power cut may leave one of them. The twin has both in one word of 8 bytes.
 */
#include "pm.h"

#define NODES 5

struct node {
	uint64_t next PM_ALIGNED; /* 1 + index, 0 is the end */
};

struct pool {
	uint64_t top PM_ALIGNED; /* 1 + index; in the twin its lower half, and the upper one is the version */
	uint64_t version;
	struct node nodes[NODES];
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void swing(struct pool *pool, uint64_t old, uint64_t top)
{
#if BUG
	uint64_t version = pool->version;
	__asm__ volatile("lock cmpxchg16b %0" /* AT swap */
					 : "+m"(*(unsigned __int128 *)&pool->top), "+a"(old), "+d"(version)
					 : "b"(top), "c"(version + 1)
					 : "cc");
#else
	uint64_t next = ((old >> 32) + 1) << 32 | top;
	__atomic_compare_exchange_n(&pool->top, &old, next, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
#endif
	pm_clflush(&pool->top); /* BUG-AT */
}

static void push(struct pool *pool, uint64_t index)
{
	struct node *node = &pool->nodes[index];
	uint64_t old = pool->top;
	node->next = old & UINT32_MAX;
	pm_clflush(node);
	swing(pool, old, index + 1);
}

static void run(struct pool *pool)
{
	for (uint64_t index = 0; index < NODES; index++)
		push(pool, index);
}

static const char *check(struct pool *pool)
{
	uint64_t version = BUG ? pool->version : pool->top >> 32, depth = 0;
	for (uint64_t at = pool->top & UINT32_MAX; at != 0; at = pool->nodes[at - 1].next)
		if (at > NODES || ++depth > NODES)
			return "the stack leads nowhere";
	return depth == version ? NULL : "the version is not that of the top"; /* nothing is ever popped */
}

PM_MAIN
