/*
 * One thread writes a value, another derives a value from it and persists that. The bug persists the first value after
 * the lock is released: what the other thread has persisted then rests on a value that a power cut may take back.
 */
#include "pm.h"

#include <pthread.h>

#define ROUNDS 20

struct pool {
	uint64_t value PM_ALIGNED;
	uint64_t derived PM_ALIGNED; /* never more than value */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void create(struct pool *pool)
{
	(void)pool;
}

static void *write_values(void *argument)
{
	struct pool *pool = argument;
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&lock);
		pool->value++; /* RACE-STORE-AT */
#if BUG
		pthread_mutex_unlock(&lock);
		pm_persist(&pool->value, sizeof pool->value);
#else
		pm_persist(&pool->value, sizeof pool->value);
		pthread_mutex_unlock(&lock);
#endif
	}
	return NULL;
}

static void *derive_values(void *argument)
{
	struct pool *pool = argument;
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&lock);
		if (pool->derived != pool->value) { /* RACE-LOAD-AT */
			pool->derived = pool->value;
			pm_persist(&pool->derived, sizeof pool->derived);
		}
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static void run(struct pool *pool)
{
	pthread_t writer, deriver;
	if (pthread_create(&writer, NULL, write_values, pool) != 0 ||
			pthread_create(&deriver, NULL, derive_values, pool) != 0)
		pm_fail("pthread_create");
	pthread_join(writer, NULL);
	pthread_join(deriver, NULL);
}

static const char *check(struct pool *pool)
{
	return pool->derived <= pool->value ? NULL : "a value rests on one that was lost";
}

PM_MAIN
