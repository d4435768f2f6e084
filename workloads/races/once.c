/*
 * pthread_once lets others go on when its routine has returned. The racy routine leaves the persist to its caller.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void set_up(void)
{
	X = 1; /* AT store */
	if (!racy)
		pm_persist(&X);
}

static void *first(void *unused)
{
	pthread_once(&once, set_up);
	if (racy)
		pm_persist(&X); /* AT persist */
	pass(1);
	return unused;
}

static void *second(void *unused)
{
	turn(1);
	pthread_once(&once, set_up);
	sink = X; /* AT load */
	return unused;
}

RACE_MAIN(first, second)
