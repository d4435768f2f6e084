/*
 * A helper that stores and persists for two callers makes two races; a function of its own that is called twice makes
 * one.
 *
 * RACE observed: first, persisted persist, load
 * RACE observed: second, persisted persist, load
 */
#include "race.h"

static void pm_store(volatile uint64_t *where, uint64_t value)
{
	*where = value;
}

static void *writer(void *unused)
{
	pm_store(&X, 1); /* AT first */
	pm_store(&Y, 1); /* AT second */
	pass(1);
	turn(2);
	pm_flush(&X);
	pm_flush(&Y);
	pm_fence(); /* AT persist */
	return unused;
}

static uint64_t get(int word)
{
	return pm[word].word[0]; /* AT load */
}

static void *reader(void *unused)
{
	turn(1);
	sink = get(racy ? 0 : 3);
	sink = get(racy ? 1 : 4);
	pass(2);
	return unused;
}

RACE_MAIN(writer, reader)
