/*
 * A wait for a condition variable that timed out is not behind the signal. The correct reader waits once more.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int is_filled;

static void *writer(void *unused)
{
	turn(1);
	X = 1; /* AT store */
	pm_persist(&X); /* AT persist */
	pass(2);
	if (!racy)
		pthread_mutex_lock(&lock);
	is_filled = 1;
	pthread_cond_signal(&filled);
	if (!racy)
		pthread_mutex_unlock(&lock);
	return unused;
}

static void *reader(void *unused)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	pthread_mutex_lock(&lock);
	pthread_cond_timedwait(&filled, &lock, &now);
	pass(1);
	while (!racy && !is_filled)
		pthread_cond_wait(&filled, &lock);
	pthread_mutex_unlock(&lock);
	turn(2);
	sink = X; /* AT load */
	return unused;
}

RACE_MAIN(writer, reader)
