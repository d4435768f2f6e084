/*
 * What memcpy stores and loads belongs to the lines that call it, however many instructions it takes.
 *
 * RACE observed: store, persisted persist, load
 */
#include "race.h"

static char out[300];

static void *writer(void *unused)
{
	char text[200];
	memset(text, 'x', sizeof text);
	memcpy((char *)pm + 20, text, sizeof text); /* AT store */
	pass(1);
	turn(2);
	for (int line = 0; line < 4; line++)
		pm_flush(&pm[line]);
	pm_fence(); /* AT persist */
	return unused;
}

static void *reader(void *unused)
{
	turn(1);
	memcpy(out, (char *)pm + (racy ? 10 : 256), 100); /* AT load */
	pass(2);
	return unused;
}

RACE_MAIN(writer, reader)
