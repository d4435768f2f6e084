/*
 * One writer and five readers with a reader-writer lock, in any order. One reader of the racy variant forgets the lock.
 *
 * RACE region: store, persisted persist, bare-load
 */
#include "race.h"

#define READERS 5
#define ROUNDS 20

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *writer(void *unused)
{
	for (int round = 0; round < ROUNDS; round++) {
		pthread_rwlock_wrlock(&lock);
		X = X + 1; /* AT store */
		pm_persist(&X); /* AT persist */
		pthread_rwlock_unlock(&lock);
	}
	return unused;
}

static void *reader(void *bare)
{
	for (int round = 0; round < ROUNDS; round++) {
		if (bare != NULL) {
			sink = X; /* AT bare-load */
			continue;
		}
		pthread_rwlock_rdlock(&lock);
		sink = X;
		pthread_rwlock_unlock(&lock);
	}
	return bare;
}

int main(int count, char **arguments)
{
	pthread_t threads[READERS + 1];
	race_begin(count, arguments);
	for (int i = 0; i < READERS; i++)
		pthread_create(&threads[i], NULL, reader, racy && i == 2 ? &threads : NULL);
	pthread_create(&threads[READERS], NULL, writer, NULL);
	for (int i = 0; i <= READERS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
