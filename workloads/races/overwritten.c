/*
 * A store that was never persisted, and then stored over in a section of its own: until then it could be loaded.
 *
 * RACE lockset: store, overwritten again, load
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
	X = 2; /* AT again */
	pm_persist(&X);
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
