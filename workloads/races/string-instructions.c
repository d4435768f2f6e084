/*
 * Instructions with a repeat prefix store and load, byte by byte.
 *
 * RACE observed: store, persisted persist, load
 */
#include "race.h"

static char out[64];

static void *writer(void *unused)
{
	const char text[40] = "text";
	char *to = (char *)pm + 8;
	const char *from = text;
	size_t size = sizeof text;
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size)::"memory"); /* AT store */
	pass(1);
	turn(2);
	pm_persist(&X); /* AT persist */
	return unused;
}

static void *reader(void *unused)
{
	turn(1);
	const char *from = (char *)pm + (racy ? 40 : 48);
	char *to = out;
	size_t size = 16;
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size)::"memory"); /* AT load */
	pass(2);
	return unused;
}

RACE_MAIN(writer, reader)
