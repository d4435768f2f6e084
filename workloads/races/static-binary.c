/*
 * The same as early-unlock.c without shared libraries.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused)
{
	pthread_mutex_lock(&lock);
	X = 1; /* AT store */
	if (!racy)
		pm_persist(&X);
	pthread_mutex_unlock(&lock);
	if (racy)
		pm_persist(&X); /* AT persist */
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
