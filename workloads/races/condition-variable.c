/*
 * The reader waits until it is told that there is something. The racy writer tells it before it persists.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int is_filled;

static void *writer(void *unused)
{
	turn(1);
	X = 1; /* AT store */
	if (!racy)
		pm_persist(&X);
	pthread_mutex_lock(&lock);
	is_filled = 1;
	pthread_cond_signal(&filled);
	pthread_mutex_unlock(&lock);
	if (racy)
		pm_persist(&X); /* AT persist */
	pass(2);
	return unused;
}

static void *reader(void *unused)
{
	pthread_mutex_lock(&lock);
	pass(1);
	while (!is_filled)
		pthread_cond_wait(&filled, &lock);
	pthread_mutex_unlock(&lock);
	turn(2);
	sink = X; /* AT load */
	return unused;
}

RACE_MAIN(writer, reader)
