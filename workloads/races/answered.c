/*
 * The reader tells the world about what can still be lost.
 *
 * RACE consequence: store, persisted persist, load
 */
#include "race.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused)
{
	pthread_mutex_lock(&lock);
	X = 1; /* AT store */
	if (!racy)
		pm_persist(&X);
	pthread_mutex_unlock(&lock);
	pass(1);
	turn(2);
	if (racy)
		pm_persist(&X); /* AT persist */
	return unused;
}

static void *reader(void *unused)
{
	char text[] = "0\n";
	turn(1);
	pthread_mutex_lock(&lock);
	text[0] += (char)X; /* AT load */
	pthread_mutex_unlock(&lock);
	need(write(STDOUT_FILENO, text, 2) == 2, "write");
	pass(2);
	return unused;
}

RACE_MAIN(writer, reader)
