/*
 * clflush needs no fence.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused)
{
	pthread_mutex_lock(&lock);
	X = 1; /* AT store */
	if (racy)
		pthread_mutex_unlock(&lock);
	__asm__ volatile("clflush %0" : "+m"(X)); /* AT persist */
	if (!racy)
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
