/*
 * A call that synchronises a mapping persists what others stored there. It does not read it for the program.
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
	msync(pm, 4096, MS_SYNC); /* AT persist */
	return unused;
}

RACE_MAIN(writer, reader)
