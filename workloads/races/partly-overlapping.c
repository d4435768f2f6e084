/*
 * A load of some of the bytes that were stored, at another address and of another size. The correct one loads the bytes
 * beside them, of the same line.
 *
 * RACE observed: store, persisted persist, load
 */
#include "race.h"

static void *writer(void *unused)
{
	X = 0x1122334455667788; /* AT store */
	pass(1);
	turn(2);
	pm_persist(&X); /* AT persist */
	return unused;
}

static void *reader(void *unused)
{
	volatile uint16_t *halves = (volatile uint16_t *)&X;
	turn(1);
	if (racy)
		sink = halves[3]; /* AT load */
	else
		sink = halves[4];
	pass(2);
	return unused;
}

RACE_MAIN(writer, reader)
