/*
 * The reader comes late, and finds without waiting that there is something. So locks alone order the two. In another
 * schedule the reader waits, and the condition variable orders them. An analysis does not know that the flag would have
 * kept the reader back, hence `lockset` in the correct twin.
 *
 * RACE region: store, persisted persist, load
 * TWIN lockset: store, persisted early, load
 */
#include "race.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int is_filled;

static void *writer(void *unused)
{
	X = 1; /* AT store */
	if (!racy)
		pm_persist(&X); /* AT early */
	pthread_mutex_lock(&lock);
	is_filled = 1;
	pthread_cond_signal(&filled);
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
	while (!is_filled)
		pthread_cond_wait(&filled, &lock);
	pthread_mutex_unlock(&lock);
	sink = X; /* AT load */
	return unused;
}

RACE_MAIN(writer, reader)
