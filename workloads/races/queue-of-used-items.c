/*
 * The same with an item that several threads have used, so that its store is no initialisation. The lock of the queue
 * orders the two in this schedule, and an analysis of locks does not know that none can order them otherwise: `lockset`
 * in the correct twin. (See semaphore.c: what waits for an item by a semaphore is known to come behind it.)
 *
 * RACE region: store, persisted persist, load
 * TWIN lockset: store, persisted early, load
 */
#include "race.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct line *queue[4];
static int length;

static void *producer(void *unused)
{
	struct line *item = &pm[0];
	item->word[0] = 1; /* AT store */
	if (!racy)
		pm_persist(item); /* AT early */
	pthread_mutex_lock(&lock);
	queue[length++] = item;
	pthread_mutex_unlock(&lock);
	if (racy)
		pm_persist(item); /* AT persist */
	pass(1);
	return unused;
}

static void *consumer(void *unused)
{
	turn(1);
	pthread_mutex_lock(&lock);
	struct line *item = queue[--length];
	pthread_mutex_unlock(&lock);
	sink = item->word[0]; /* AT load */
	return unused;
}

RACE_MAIN(producer, consumer)
