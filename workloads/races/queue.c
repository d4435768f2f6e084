/*
 * An item is handed over through a queue: the lock protects the queue, and the item belongs to the one that has it.
 * The racy producer persists what is in the queue already.
 *
 * RACE observed: store, persisted persist, load
 */
#include "race.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct line *queue[4];
static int length;

static void *producer(void *unused)
{
	struct line *item = &FRESH(0);
	item->word[0] = 1; /* AT store */
	if (!racy)
		pm_persist(item);
	pthread_mutex_lock(&lock);
	queue[length++] = item;
	pthread_mutex_unlock(&lock);
	pass(1);
	turn(2);
	if (racy)
		pm_persist(item); /* AT persist */
	return unused;
}

static void *consumer(void *unused)
{
	turn(1);
	pthread_mutex_lock(&lock);
	struct line *item = queue[--length];
	pthread_mutex_unlock(&lock);
	sink = item->word[0]; /* AT load */
	pass(2);
	return unused;
}

RACE_MAIN(producer, consumer)
