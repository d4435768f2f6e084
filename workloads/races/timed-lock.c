/*
 * A timed lock counts if it was got before the time was over.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused)
{
	struct timespec soon;
	turn(racy ? 1 : 3);
	clock_gettime(CLOCK_REALTIME, &soon);
	soon.tv_sec += racy ? 0 : 100;
	int failed = pthread_mutex_timedlock(&lock, &soon);
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
