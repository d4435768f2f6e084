/*
 * A semaphore tells that there is something. The racy writer posts before it persists.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"
#include <semaphore.h>

static sem_t filled;

static void *writer(void *unused)
{
	X = 1; /* AT store */
	if (!racy)
		pm_persist(&X);
	sem_post(&filled);
	if (racy)
		pm_persist(&X); /* AT persist */
	pass(1);
	return unused;
}

static void *reader(void *unused)
{
	sem_wait(&filled);
	turn(1);
	sink = X; /* AT load */
	return unused;
}

int main(int count, char **arguments)
{
	race_begin(count, arguments);
	sem_init(&filled, 0, 0);
	race_threads(writer, reader);
	return 0;
}
