/*
 * An error-checking lock that its owner takes again fails, and is still given back by one unlock.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"

static pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

static void *writer(void *unused)
{
	pthread_mutex_lock(&lock);
	need(pthread_mutex_lock(&lock) != 0, "taken twice");
	X = 1; /* AT store */
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
