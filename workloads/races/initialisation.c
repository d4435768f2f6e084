/*
 * HawkSet, section 3.1.3: what was persisted before it was published is initialisation, though no lock is held. The racy
 * one publishes a pointer to what is not persisted.
 *
 * RACE observed: store, persisted persist, load
 */
#include "race.h"

static struct line *volatile published;

static void *writer(void *unused)
{
	struct line *item = &FRESH(0);
	item->word[0] = 1; /* AT store */
	if (!racy)
		pm_persist(item);
	published = item;
	pass(1);
	turn(2);
	if (racy)
		pm_persist(item); /* AT persist */
	return unused;
}

static void *reader(void *unused)
{
	turn(1);
	sink = published->word[0]; /* AT load */
	pass(2);
	return unused;
}

RACE_MAIN(writer, reader)
