/*
 * HawkSet, section 4: a tentative acquire counts if it succeeds. The racy writer goes on without the lock.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused)
{
	turn(racy ? 1 : 3);
	int failed = pthread_mutex_trylock(&lock);
	X = 1; /* AT store */
	pm_persist(&X); /* AT persist */
	if (!failed)
		pthread_mutex_unlock(&lock);
	pass(2);
	return unused;
}

static void *reader(void *unused)
{
	pthread_mutex_lock(&lock);
	if (racy) {
		pass(1);
		turn(2);
	}
	sink = X; /* AT load */
	pthread_mutex_unlock(&lock);
	pass(3);
	return unused;
}

RACE_MAIN(writer, reader)
