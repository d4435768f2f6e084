/*
 * A system call loads for the thread that makes it.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int null;

static void *writer(void *unused)
{
	pthread_mutex_lock(&lock);
	X = 1; /* AT store */
	pm_persist(&X); /* AT persist */
	pthread_mutex_unlock(&lock);
	pass(1);
	return unused;
}

static void *reader(void *unused)
{
	turn(1);
	if (!racy)
		pthread_mutex_lock(&lock);
	need(write(null, (const void *)&X, 8) == 8, "write"); /* AT load */
	if (!racy)
		pthread_mutex_unlock(&lock);
	return unused;
}

int main(int count, char **arguments)
{
	race_begin(count, arguments);
	null = open("/dev/null", O_WRONLY);
	race_threads(writer, reader);
	return 0;
}
