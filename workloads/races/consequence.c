/*
 * The reader persists a copy of what can still be lost.
 *
 * RACE consequence: store, persisted persist, load
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
	pass(1);
	turn(2);
	if (racy)
		pm_persist(&X); /* AT persist */
	return unused;
}

static void *reader(void *unused)
{
	turn(1);
	pthread_mutex_lock(&lock);
	COPY = X; /* AT load */
	pm_persist(&COPY);
	pthread_mutex_unlock(&lock);
	pass(2);
	return unused;
}

RACE_MAIN(writer, reader)
