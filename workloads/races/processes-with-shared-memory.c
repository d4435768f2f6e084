/*
 * Two processes share the pool, and a lock in memory that is not persistent.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"
#include <sys/wait.h>

static pthread_mutex_t *lock;

static void writer(void)
{
	pthread_mutex_lock(lock);
	X = 1; /* AT store */
	if (racy)
		pthread_mutex_unlock(lock);
	pm_persist(&X); /* AT persist */
	if (!racy)
		pthread_mutex_unlock(lock);
	pass(1);
}

static void reader(void)
{
	turn(1);
	pthread_mutex_lock(lock);
	sink = X; /* AT load */
	pthread_mutex_unlock(lock);
}

int main(int count, char **arguments)
{
	pthread_mutexattr_t shared;
	race_begin(count, arguments);
	lock = (pthread_mutex_t *)(turns + 16);
	pthread_mutexattr_init(&shared);
	pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(lock, &shared);
	if (fork() == 0) {
		reader();
		_exit(0);
	}
	if (fork() == 0) {
		writer();
		_exit(0);
	}
	wait(NULL);
	wait(NULL);
	return 0;
}
