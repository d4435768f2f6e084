/*
 * A lock that lies in persistent memory, beside what it protects. Its own state is transient, and no race.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"

static pthread_mutex_t *lock;

static void *writer(void *unused)
{
	pthread_mutex_lock(lock);
	FRESH(0).word[7] = 1; /* AT store */
	if (racy)
		pthread_mutex_unlock(lock);
	pm_persist(&FRESH(0)); /* AT persist */
	if (!racy)
		pthread_mutex_unlock(lock);
	pass(1);
	return unused;
}

static void *reader(void *unused)
{
	turn(1);
	pthread_mutex_lock(lock);
	sink = FRESH(0).word[7]; /* AT load */
	pthread_mutex_unlock(lock);
	return unused;
}

int main(int count, char **arguments)
{
	race_begin(count, arguments);
	lock = (pthread_mutex_t *)&FRESH(0);
	pthread_mutex_init(lock, NULL);
	FRESH(0).word[7] = 0;
	pm_persist(&FRESH(0));
	race_threads(writer, reader);
	return 0;
}
