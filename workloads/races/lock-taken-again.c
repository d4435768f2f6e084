/*
 * HawkSet, figure 2b: the lock is held at the store and at the persist, and was given back in between.
 *
 * RACE lockset: store, persisted persist, load
 */
#include "race.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused)
{
	pthread_mutex_lock(&lock);
	X = 1; /* AT store */
	if (racy) {
		pthread_mutex_unlock(&lock);
		pthread_mutex_lock(&lock);
	}
	pm_persist(&X); /* AT persist */
	pthread_mutex_unlock(&lock);
	pass(1);
	return unused;
}

static void *reader(void *unused)
{
	turn(1);
	pthread_mutex_lock(&lock);
	sink = X; /* AT load */
	pthread_mutex_unlock(&lock);
	return unused;
}

RACE_MAIN(writer, reader)
