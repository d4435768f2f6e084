/*
 * A load that begins before what was stored and ends in it, in another line than it begins in.
 *
 * RACE observed: store, persisted persist, load
 */
#include "race.h"

static void *writer(void *unused)
{
	Y = 1; /* AT store */
	pass(1);
	turn(2);
	pm_persist(&Y); /* AT persist */
	return unused;
}

static void *reader(void *unused)
{
	const char *end = (const char *)&Y;
	uint64_t value;
	turn(1);
	__asm__ volatile("movq (%1), %0" : "=r"(value) : "r"(end - (racy ? 4 : 8)) : "memory"); /* AT load */
	pass(2);
	return unused;
}

RACE_MAIN(writer, reader)
