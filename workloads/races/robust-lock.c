/*
 * A robust lock whose owner died belongs to the next one that takes it.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"
#include <errno.h>

static pthread_mutex_t lock;

static void *dying(void *unused)
{
	pthread_mutex_lock(&lock);
	return unused;
}

static void *writer(void *unused)
{
	need(pthread_mutex_lock(&lock) == EOWNERDEAD, "owner");
	pthread_mutex_consistent(&lock);
	X = 1; /* AT store */
	if (racy)
		pthread_mutex_unlock(&lock);
	pm_persist(&X); /* AT persist */
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

int main(int count, char **arguments)
{
	pthread_mutexattr_t robust;
	pthread_t thread;
	race_begin(count, arguments);
	pthread_mutexattr_init(&robust);
	pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&lock, &robust);
	pthread_create(&thread, NULL, dying, NULL);
	pthread_join(thread, NULL);
	race_threads(writer, reader);
	return 0;
}
