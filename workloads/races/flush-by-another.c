/*
 * Vardalith, section 8 (flush on read): the reader persists for the writer what it is about to use. The racy one loads
 * first.
 *
 * RACE observed: store, persisted persist, load
 */
#include "race.h"

static void *writer(void *unused)
{
	X = 1; /* AT store */
	pass(1);
	return unused;
}

static void *reader(void *unused)
{
	turn(1);
	if (racy)
		sink = X; /* AT load */
	pm_persist(&X); /* AT persist */
	if (!racy)
		sink = X;
	return unused;
}

RACE_MAIN(writer, reader)
