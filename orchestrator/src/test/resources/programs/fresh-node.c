/*
 * A thread makes nodes and hands them over by a pointer in volatile memory. It is the only one to use a node up to then,
 * so that looks like initialisation. Where it persists a node once it has handed it over, the result of a reader that
 * comes at once may last without the node. In the order of the default schedule, no reader does.
 */
#include "program.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#define NODES 8

struct word {
	_Alignas(LINE) long value;
};

struct pool {
	struct word nodes[NODES], result;
};

static struct pool *pool;
static struct word *_Atomic newest;
static int is_late;

static void *make_nodes(void *unused)
{
	for (long i = 0; i < NODES; i++) {
		pool->nodes[i].value = i + 1;
		if (!is_late)
			persist(&pool->nodes[i]);
		newest = &pool->nodes[i];
		if (is_late)
			persist(&pool->nodes[i]);
		sched_yield();
	}
	return unused;
}

static void *use_nodes(void *unused)
{
	for (long i = 0; i < NODES; i++) {
		if (newest != NULL) {
			pool->result.value = newest->value;
			persist(&pool->result);
		}
		sched_yield();
	}
	return unused;
}

static int check(void)
{
	long result = pool->result.value;
	return result != 0 && pool->nodes[result - 1].value != result;
}

int main(int count, char **arguments)
{
	pthread_t maker, user;

	if (count < 4)
		return 2;
	pool = (struct pool *)map_lines(arguments[2], "pool", sizeof(struct pool) / LINE);
	if (strcmp(arguments[1], "check") == 0)
		return check();
	is_late = strcmp(arguments[3], "bug") == 0;
	pthread_create(&maker, NULL, make_nodes, NULL);
	pthread_create(&user, NULL, use_nodes, NULL);
	pthread_join(maker, NULL);
	pthread_join(user, NULL);
	return 0;
}
