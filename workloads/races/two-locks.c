/*
 * HawkSet, figure 2: both threads hold a lock, but not the same. The second lock of the writer does not protect either.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused)
{
	pthread_mutex_lock(&lock);
	X = 1; /* AT store */
	pm_persist(&X); /* AT persist */
	pthread_mutex_unlock(&lock);
	pass(1);
	return unused;
}

static void *reader(void *unused)
{
	turn(1);
	pthread_mutex_lock(racy ? &other : &lock);
	sink = X; /* AT load */
	pthread_mutex_unlock(racy ? &other : &lock);
	return unused;
}

RACE_MAIN(writer, reader)
