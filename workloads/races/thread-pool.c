/*
 * Threads of a pool wait for tasks by a semaphore and tell by a condition variable that they are done. Only the racy one
 * tells before it has persisted.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t one_done = PTHREAD_COND_INITIALIZER;
static sem_t tasks;
static int done;
static int waiting;

static void *worker(void *unused)
{
	sem_wait(&tasks);
	turn(2);
	X = X + 1; /* AT store */
	if (!racy)
		pm_persist(&X);
	pthread_mutex_lock(&lock);
	done++;
	pthread_cond_signal(&one_done);
	pthread_mutex_unlock(&lock);
	if (racy)
		pm_persist(&X); /* AT persist */
	pass(3);
	return unused;
}

static void *client(void *unused)
{
	X = 1;
	pm_persist(&X);
	sem_post(&tasks);
	pthread_mutex_lock(&lock);
	waiting = 1;
	pass(2);
	while (done < 1)
		pthread_cond_wait(&one_done, &lock);
	pthread_mutex_unlock(&lock);
	turn(3);
	sink = X; /* AT load */
	return unused;
}

int main(int count, char **arguments)
{
	race_begin(count, arguments);
	sem_init(&tasks, 0, 0);
	race_threads(worker, client);
	return 0;
}
