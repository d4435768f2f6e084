/*
 * What is flushed without a fence is not persisted either. The lock that the correct writer gives back is a fence.
 *
 * RACE observed: store, never, load
 */
#include "race.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused)
{
	if (!racy)
		pthread_mutex_lock(&lock);
	X = 1; /* AT store */
	pm_flush(&X);
	if (!racy)
		pthread_mutex_unlock(&lock);
	pass(1);
	turn(3); /* never: where a thread ends, there is a fence */
	return unused;
}

static void *reader(void *unused)
{
	turn(1);
	if (!racy)
		pthread_mutex_lock(&lock);
	sink = X; /* AT load */
	if (!racy)
		pthread_mutex_unlock(&lock);
	pass(2);
	return unused;
}

int main(int count, char **arguments)
{
	pthread_t threads[2];
	race_begin(count, arguments);
	pthread_create(&threads[0], NULL, writer, NULL);
	pthread_create(&threads[1], NULL, reader, NULL);
	pthread_join(threads[1], NULL);
	_exit(0);
}
