/*
 * A spin lock that is given back too early.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"

static pthread_spinlock_t lock;

static void *writer(void *unused)
{
	pthread_spin_lock(&lock);
	X = 1; /* AT store */
	if (racy)
		pthread_spin_unlock(&lock);
	pm_persist(&X); /* AT persist */
	if (!racy)
		pthread_spin_unlock(&lock);
	pass(1);
	return unused;
}

static void *reader(void *unused)
{
	turn(1);
	pthread_spin_lock(&lock);
	sink = X; /* AT load */
	pthread_spin_unlock(&lock);
	return unused;
}

int main(int count, char **arguments)
{
	race_begin(count, arguments);
	pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
	race_threads(writer, reader);
	return 0;
}
