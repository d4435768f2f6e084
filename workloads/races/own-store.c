/*
 * A thread that loads what it stored itself is no race, in either variant.
 *
 * RACE observed: store, persisted persist, load
 */
#include "race.h"

static void *writer(void *unused)
{
	X = 1; /* AT store */
	sink = X;
	pass(1);
	turn(2);
	sink = X;
	pm_persist(&X); /* AT persist */
	return unused;
}

static void *reader(void *unused)
{
	turn(1);
	if (racy)
		sink = X; /* AT load */
	pass(2);
	return unused;
}

RACE_MAIN(writer, reader)
