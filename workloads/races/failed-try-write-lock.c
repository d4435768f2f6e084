/*
 * A reader-writer lock that could not be had for writing, since there is a reader.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *writer(void *unused)
{
	turn(racy ? 1 : 3);
	int failed = pthread_rwlock_trywrlock(&lock);
	X = 1; /* AT store */
	pm_persist(&X); /* AT persist */
	if (!failed)
		pthread_rwlock_unlock(&lock);
	pass(2);
	return unused;
}

static void *reader(void *unused)
{
	pthread_rwlock_rdlock(&lock);
	if (racy) {
		pass(1);
		turn(2);
	}
	sink = X; /* AT load */
	pthread_rwlock_unlock(&lock);
	pass(3);
	return unused;
}

RACE_MAIN(writer, reader)
