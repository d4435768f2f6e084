/*
 * Initialisation ends with the first use by another thread: what is stored after that needs a lock, persisted or not.
 *
 * RACE region: again, persisted persist, load
 */
#include "race.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused)
{
	struct line *item = &FRESH(0);
	item->word[0] = 1;
	pm_persist(item);
	pass(1);
	turn(2);
	if (!racy)
		pthread_mutex_lock(&lock);
	item->word[0] = 2; /* AT again */
	pm_persist(item); /* AT persist */
	if (!racy)
		pthread_mutex_unlock(&lock);
	pass(3);
	return unused;
}

static void *reader(void *unused)
{
	turn(1);
	for (int round = 0; round < 2; round++) {
		if (!racy)
			pthread_mutex_lock(&lock);
		sink = FRESH(0).word[0]; /* AT load */
		if (!racy)
			pthread_mutex_unlock(&lock);
		if (round == 0)
			pass(2);
		turn(3);
	}
	return unused;
}

RACE_MAIN(writer, reader)
