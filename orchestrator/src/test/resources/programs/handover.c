/*
 * A writer fills slots under a lock and persists each after it has given the lock back; a reader takes what it sees
 * and writes it down. Variant "fixed" persists before it unlocks; "fragile" does, too, and its reader fails if it sees
 * that the writer is not done. "spinning" does with a lock of its own, of which Powercut knows nothing.
 */
#include <fcntl.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LOAD(where) (*(volatile long *)&(where))

struct pool {
	long slot __attribute__((aligned(64)));
	long copy __attribute__((aligned(64)));
};

static struct pool *pool;
static int fixed;
static int fragile;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int spins;
static int own;
static pthread_barrier_t both;

__attribute__((target("clwb"))) static void persist(void *where)
{
	_mm_clwb(where);
	_mm_sfence();
}

static void take(void)
{
	if (!spins)
		pthread_mutex_lock(&lock);
	while (spins && __atomic_exchange_n(&own, 1, __ATOMIC_ACQUIRE))
		;
}

static void give(void)
{
	if (spins)
		__atomic_store_n(&own, 0, __ATOMIC_RELEASE);
	else
		pthread_mutex_unlock(&lock);
}

static void *write_slots(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&both);
	for (long i = 1; i <= 20; i++) {
		take();
		pool->slot = i;
		if (fixed)
			persist(&pool->slot);
		give();
		if (!fixed)
			persist(&pool->slot);
	}
	return NULL;
}

static void *copy_slots(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&both);
	for (int i = 0; i < 20; i++) {
		take();
		long seen = LOAD(pool->slot) | LOAD(pool->slot); /* two loads, one race */
		if (fragile && seen > 0 && seen < 20)
			abort();
		pool->copy = seen;
		persist(&pool->copy);
		give();
	}
	return NULL;
}

int main(int count, char **arguments)
{
	pthread_t threads[2];
	char path[4096];
	if (count < 3)
		return 2;
	snprintf(path, sizeof path, "%s/pool", arguments[2]);
	int file = open(path, O_RDWR | O_CREAT, 0644);
	if (file < 0 || ftruncate(file, sizeof(struct pool)) != 0)
		return 2;
	pool = mmap(NULL, sizeof(struct pool), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (pool == MAP_FAILED)
		return 2;
	if (strcmp(arguments[1], "check") == 0)
		return pool->copy > pool->slot;
	if (strcmp(arguments[1], "create") == 0)
		return 0;
	fragile = count > 3 && strcmp(arguments[3], "fragile") == 0;
	spins = count > 3 && strcmp(arguments[3], "spinning") == 0;
	fixed = fragile || spins || (count > 3 && strcmp(arguments[3], "fixed") == 0);
	pool->slot = pool->copy = 0;
	persist(&pool->slot);
	persist(&pool->copy);
	pthread_barrier_init(&both, NULL, 2);
	pthread_create(&threads[0], NULL, write_slots, NULL);
	pthread_create(&threads[1], NULL, copy_slots, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
