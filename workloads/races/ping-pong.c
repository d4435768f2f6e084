/*
 * Two threads hand one word to and fro by two semaphores, and each persists before it does. In the racy variant one of
 * them does not.
 *
 * RACE observed: ping, overwritten pong, take
 */
#include "race.h"
#include <semaphore.h>

static sem_t to_one;
static sem_t to_other;

static void *one(void *unused)
{
	for (int round = 0; round < 10; round++) {
		sem_wait(&to_one);
		uint64_t seen = X;
		X = seen + 1; /* AT ping */
		if (!racy)
			pm_persist(&X);
		sem_post(&to_other);
	}
	return unused;
}

static void *other(void *unused)
{
	for (int round = 0; round < 10; round++) {
		sem_wait(&to_other);
		uint64_t seen = X; /* AT take */
		X = seen + 1; /* AT pong */
		pm_persist(&X);
		sem_post(&to_one);
	}
	return unused;
}

int main(int count, char **arguments)
{
	race_begin(count, arguments);
	sem_init(&to_one, 0, 1);
	sem_init(&to_other, 0, 0);
	race_threads(one, other);
	return 0;
}
