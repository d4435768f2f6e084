/*
 * A recursive lock is held until it was given back as often as it was taken.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void *writer(void *unused)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_lock(&lock);
	X = 1; /* AT store */
	pthread_mutex_unlock(&lock);
	if (racy)
		pthread_mutex_unlock(&lock);
	pm_persist(&X); /* AT persist */
	if (!racy)
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
