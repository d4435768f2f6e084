/*
 * A reader that becomes a writer gives the lock back in between. What it stored as a reader is not protected.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *writer(void *unused)
{
	pthread_rwlock_rdlock(&lock);
	uint64_t seen = Y;
	if (racy)
		X = seen + 1; /* AT store */
	pthread_rwlock_unlock(&lock);
	pthread_rwlock_wrlock(&lock);
	if (!racy)
		X = seen + 1;
	pm_persist(&X); /* AT persist */
	pthread_rwlock_unlock(&lock);
	pass(1);
	return unused;
}

static void *reader(void *unused)
{
	pthread_rwlock_rdlock(&lock);
	sink = X; /* AT load */
	pthread_rwlock_unlock(&lock);
	return unused;
}

static void *late_reader(void *unused)
{
	turn(1);
	return reader(unused);
}

static void *early_reader(void *unused)
{
	reader(unused);
	pass(1);
	return unused;
}

static void *late_writer(void *unused)
{
	turn(1);
	return writer(unused);
}

int main(int count, char **arguments)
{
	race_begin(count, arguments);
	race_threads(early_reader, late_writer);
	*turns = 0;
	race_threads(writer, late_reader);
	return 0;
}
