/*
 * An atomic addition loads, too: it takes over what the other thread has not persisted. So both additions race with each
 * other. The correct ones are in one section with their persists.
 *
 * RACE observed: first, overwritten second, second
 * RACE region: second, persisted persist, first
 */
#include "race.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *unused)
{
	if (!racy)
		pthread_mutex_lock(&lock);
	__atomic_fetch_add(&X, 1, __ATOMIC_SEQ_CST); /* AT first */
	if (racy) {
		pass(1);
		turn(2);
	}
	pm_persist(&X); /* AT persist */
	if (!racy)
		pthread_mutex_unlock(&lock);
	pass(1);
	return unused;
}

static void *other(void *unused)
{
	turn(1);
	if (!racy)
		pthread_mutex_lock(&lock);
	__atomic_fetch_add(&X, 1, __ATOMIC_SEQ_CST); /* AT second */
	if (!racy) {
		pm_persist(&X);
		pthread_mutex_unlock(&lock);
	}
	pass(2);
	return unused;
}

RACE_MAIN(one, other)
