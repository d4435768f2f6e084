/*
 * HawkSet, section 3.1.2: a thread loads what another has persisted before it was joined. The racy one loads before the
 * join.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"

static void *writer(void *unused)
{
	X = 1; /* AT store */
	pm_persist(&X); /* AT persist */
	pass(1);
	return unused;
}

int main(int count, char **arguments)
{
	pthread_t thread;
	race_begin(count, arguments);
	pthread_create(&thread, NULL, writer, NULL);
	turn(1);
	if (racy)
		sink = X; /* AT load */
	pthread_join(thread, NULL);
	if (!racy)
		sink = X;
	return 0;
}
