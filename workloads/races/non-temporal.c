/*
 * A store past the cache needs no flush, but is persisted only by the fence. A lock that is given back is one, too.
 *
 * RACE observed: store, persisted persist, load
 */
#include "race.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused)
{
	if (!racy)
		pthread_mutex_lock(&lock);
	__asm__ volatile("movnti %1, %0" : "=m"(X) : "r"(1UL)); /* AT store */
	if (!racy)
		pthread_mutex_unlock(&lock);
	pass(1);
	turn(2);
	pm_fence(); /* AT persist */
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
