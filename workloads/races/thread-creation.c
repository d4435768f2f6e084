/*
 * HawkSet, figure 3: a store before a thread is created, and a persist behind that.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"

static void *reader(void *unused)
{
	turn(1);
	sink = X; /* AT load */
	return unused;
}

static void *user(void *unused)
{
	sink = X; /* so that what is stored then is no initialisation */
	return unused;
}

int main(int count, char **arguments)
{
	pthread_t thread;
	race_begin(count, arguments);
	pthread_create(&thread, NULL, user, NULL);
	pthread_join(thread, NULL);
	X = 1; /* AT store */
	if (!racy)
		pm_persist(&X);
	pthread_create(&thread, NULL, reader, NULL);
	if (racy)
		pm_persist(&X); /* AT persist */
	pass(1);
	pthread_join(thread, NULL);
	return 0;
}
