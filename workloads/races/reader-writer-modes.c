/*
 * HawkSet, section 4 (lock types): a writer that holds a reader-writer lock as a reader does not keep readers out.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *writer(void *unused)
{
	if (racy)
		pthread_rwlock_rdlock(&lock);
	else
		pthread_rwlock_wrlock(&lock);
	X = 1; /* AT store */
	pm_persist(&X); /* AT persist */
	pthread_rwlock_unlock(&lock);
	pass(1);
	return unused;
}

static void *reader(void *unused)
{
	turn(1);
	pthread_rwlock_rdlock(&lock);
	sink = X; /* AT load */
	pthread_rwlock_unlock(&lock);
	return unused;
}

RACE_MAIN(writer, reader)
