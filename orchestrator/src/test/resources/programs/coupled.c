/*
 * Two threads go through a row of nodes, whose locks they take hand over hand: one changes them, the other one writes
 * down what it sees. From the second round on, the third node is persisted once its lock is given back. In a short run
 * the first thread is done before the second one begins, so what it stored looks like initialisation. Where threads
 * pause, the second one comes between, but not there.
 */
#include "program.h"

#include <pthread.h>
#include <string.h>

#define NODES 6
#define ROUNDS 3

struct word {
	_Alignas(LINE) volatile long value;
};

struct pool {
	struct word value[NODES], copy[NODES];
};

static struct pool *pool;
static pthread_mutex_t locks[NODES + 1];
static int is_late;

/* One place for all, so that threads no longer pause here when it comes to the late one. */
__attribute__((noipa)) static void keep(struct word *word)
{
	persist(word);
}

static void pass(int node)
{
	pthread_mutex_lock(&locks[node + 1]);
	pthread_mutex_unlock(&locks[node]);
}

static void change_nodes(void)
{
	pthread_mutex_lock(&locks[0]);
	for (int node = 0; node < NODES; node++) {
		int is_behind = is_late && node == 2 && pool->value[node].value > 0;

		pool->value[node].value++;
		if (!is_behind)
			keep(&pool->value[node]);
		pass(node);
		if (is_behind)
			keep(&pool->value[node]);
	}
	pthread_mutex_unlock(&locks[NODES]);
}

static void copy_nodes(void)
{
	pthread_mutex_lock(&locks[0]);
	for (int node = 0; node < NODES; node++) {
		pool->copy[node].value = pool->value[node].value;
		keep(&pool->copy[node]);
		pass(node);
	}
	pthread_mutex_unlock(&locks[NODES]);
}

static void *repeat(void *what)
{
	for (int round = 0; round < ROUNDS; round++)
		(*(void (**)(void))what)();
	return NULL;
}

int main(int count, char **arguments)
{
	void (*work[])(void) = {change_nodes, copy_nodes};
	pthread_t threads[2];

	if (count < 4)
		return 2;
	pool = (struct pool *)map_lines(arguments[2], "pool", sizeof(struct pool) / LINE);
	for (int node = 0; strcmp(arguments[1], "check") == 0 && node < NODES; node++)
		if (pool->copy[node].value > pool->value[node].value)
			return 1;
	if (strcmp(arguments[1], "check") == 0)
		return 0;
	is_late = strcmp(arguments[3], "bug") == 0;
	for (int lock = 0; lock <= NODES; lock++)
		pthread_mutex_init(&locks[lock], NULL);
	for (int thread = 0; thread < 2; thread++)
		pthread_create(&threads[thread], NULL, repeat, &work[thread]);
	for (int thread = 0; thread < 2; thread++)
		pthread_join(threads[thread], NULL);
	return 0;
}
