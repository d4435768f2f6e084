/*
 * A writer fills slots under a lock and persists each after it has given the lock back; a reader takes what it sees
 * and writes it down. Variant "fixed" persists before it unlocks; "fragile" does, too, and its reader fails if it sees
 * that the writer is not done. "spinning" does with a lock of its own, of which Powercut knows nothing. "failing" is
 * the first one, whose reader fails at its end if it saw that the writer was not done.
 */
#include "slots.h"

#define LOAD(where) (*(volatile long *)&(where))

static int fixed;
static int fragile;
static int fails;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int spins;
static int own;
static pthread_barrier_t both;

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
	long seen = 0;
	for (int i = 0; i < 20; i++) {
		take();
		seen = LOAD(pool->slot) | LOAD(pool->slot); /* two loads, one race */
		if (fragile && seen > 0 && seen < 20)
			abort();
		pool->copy = seen;
		persist(&pool->copy);
		give();
	}
	if (fails && seen > 0 && seen < 20)
		abort();
	return NULL;
}

int main(int count, char **arguments)
{
	if (count < 3)
		return 2;
	open_pool(arguments[2]);
	if (strcmp(arguments[1], "check") == 0)
		return pool->copy > pool->slot;
	if (strcmp(arguments[1], "create") == 0)
		return 0;
	fragile = count > 3 && strcmp(arguments[3], "fragile") == 0;
	fails = count > 3 && strcmp(arguments[3], "failing") == 0;
	spins = count > 3 && strcmp(arguments[3], "spinning") == 0;
	fixed = fragile || spins || (count > 3 && strcmp(arguments[3], "fixed") == 0);
	pool->slot = pool->copy = 0;
	persist(&pool->slot);
	persist(&pool->copy);
	pthread_barrier_init(&both, NULL, 2);
	run_both(write_slots, copy_slots);
	return 0;
}
