/*
 * All meet at a barrier between two phases. The racy writer persists in the second one.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"

static pthread_barrier_t phase;

static void *writer(void *unused)
{
	X = 1; /* AT store */
	if (!racy)
		pm_persist(&X);
	pthread_barrier_wait(&phase);
	if (racy)
		pm_persist(&X); /* AT persist */
	pass(1);
	return unused;
}

static void *reader(void *unused)
{
	pthread_barrier_wait(&phase);
	turn(1);
	sink = X; /* AT load */
	return unused;
}

int main(int count, char **arguments)
{
	race_begin(count, arguments);
	pthread_barrier_init(&phase, NULL, 2);
	race_threads(writer, reader);
	return 0;
}
