/*
 * HawkSet, section 5.1 (P-CLHT, P-Masstree): the reader takes no lock. It sees what is not persisted.
 *
 * RACE observed: store, persisted persist, load
 */
#include "race.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused)
{
	pthread_mutex_lock(&lock);
	X = 1; /* AT store */
	if (racy) {
		pass(1);
		turn(2);
	}
	pm_persist(&X); /* AT persist */
	pthread_mutex_unlock(&lock);
	pass(1);
	return unused;
}

static void *reader(void *unused)
{
	turn(1);
	if (!racy)
		pthread_mutex_lock(&lock);
	sink = X; /* AT load */
	if (!racy)
		pthread_mutex_unlock(&lock);
	pass(2);
	return unused;
}

RACE_MAIN(writer, reader)
