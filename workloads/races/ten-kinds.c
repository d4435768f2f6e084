/*
 * Ten records, and a different mistake in each. The writer is done before the reader begins, but for `seen`, `early`,
 * `half` and `copied`, which it persists when the reader has been there.
 *
 * RACE lockset: early-unlock, persisted early-unlock-persist, read-1
 * RACE lockset: wrong-lock, persisted wrong-lock-persist, read-2
 * RACE observed: seen, persisted persist-seen, read-3
 * RACE observed: never, never, read-4
 * RACE lockset: retaken, persisted retaken-persist, read-5
 * RACE lockset: dirty, overwritten over, read-6
 * RACE lockset: shared-mode, persisted shared-mode-persist, read-7
 * RACE consequence: early, persisted persist-seen, read-8
 * RACE observed: half, persisted persist-seen, read-9
 * RACE observed: copied, persisted persist-seen, read-10
 */
#include "race.h"

#define RECORDS 10

static pthread_mutex_t locks[RECORDS];
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;

static volatile uint64_t *record(int number)
{
	return &pm[number].word[0];
}

static void lock(int number)
{
	pthread_mutex_lock(&locks[number]);
}

static void unlock(int number)
{
	pthread_mutex_unlock(&locks[number]);
}

static void write_0(void)
{
	lock(0);
	*record(0) = 1; /* AT early-unlock */
	if (racy)
		unlock(0);
	pm_persist(record(0)); /* AT early-unlock-persist */
	if (!racy)
		unlock(0);
}

static void write_1(void)
{
	pthread_mutex_lock(racy ? &other : &locks[1]);
	*record(1) = 1; /* AT wrong-lock */
	pm_persist(record(1)); /* AT wrong-lock-persist */
	pthread_mutex_unlock(racy ? &other : &locks[1]);
}

static void write_2(void)
{
	lock(2);
	*record(2) = 1; /* AT seen */
	if (!racy)
		pm_persist(record(2));
	unlock(2);
}

static void write_3(void)
{
	lock(3);
	*record(3) = 1; /* AT never */
	if (!racy)
		pm_persist(record(3));
	unlock(3);
}

static void write_4(void)
{
	lock(4);
	*record(4) = 1; /* AT retaken */
	if (racy) {
		unlock(4);
		lock(4);
	}
	pm_persist(record(4)); /* AT retaken-persist */
	unlock(4);
}

static void write_5(void)
{
	lock(5);
	*record(5) = 1; /* AT dirty */
	if (racy) {
		unlock(5);
		lock(5);
	}
	*record(5) = 2; /* AT over */
	pm_persist(record(5));
	unlock(5);
}

static void write_6(void)
{
	if (racy)
		pthread_rwlock_rdlock(&shared);
	else
		pthread_rwlock_wrlock(&shared);
	*record(6) = 1; /* AT shared-mode */
	pm_persist(record(6)); /* AT shared-mode-persist */
	pthread_rwlock_unlock(&shared);
}

static void write_7(void)
{
	lock(7);
	*record(7) = 1; /* AT early */
	if (!racy)
		pm_persist(record(7));
	unlock(7);
}

static void write_8(void)
{
	lock(8);
	*record(8) = 0x1122334455667788; /* AT half */
	if (!racy)
		pm_persist(record(8));
	unlock(8);
}

static void write_9(void)
{
	char text[64];
	memset(text, 'a', sizeof text);
	lock(9);
	memcpy((void *)record(9), text, sizeof text); /* AT copied */
	if (!racy)
		pm_persist(record(9));
	unlock(9);
}

static void *writer(void *unused)
{
	void (*const all[])(
			void) = {write_0, write_1, write_2, write_3, write_4, write_5, write_6, write_7, write_8, write_9};
	for (int number = 0; number < RECORDS; number++)
		all[number]();
	pass(1);
	turn(2);
	if (racy) {
		pm_flush(record(2));
		pm_flush(record(7));
		pm_flush(record(8));
		pm_flush(record(9));
		pm_fence(); /* AT persist-seen */
	}
	return unused;
}

static void *reader(void *unused)
{
	char text[64];
	turn(1);
	lock(7);
	pm[RECORDS].word[0] = *record(7); /* AT read-8 */
	pm_persist(&pm[RECORDS]);
	unlock(7);
	lock(0);
	sink = *record(0); /* AT read-1 */
	unlock(0);
	lock(1);
	sink = *record(1); /* AT read-2 */
	unlock(1);
	lock(2);
	sink = *record(2); /* AT read-3 */
	unlock(2);
	lock(3);
	sink = *record(3); /* AT read-4 */
	unlock(3);
	lock(4);
	sink = *record(4); /* AT read-5 */
	unlock(4);
	lock(5);
	sink = *record(5); /* AT read-6 */
	unlock(5);
	pthread_rwlock_rdlock(&shared);
	sink = *record(6); /* AT read-7 */
	pthread_rwlock_unlock(&shared);
	lock(8);
	sink = *((volatile uint32_t *)record(8) + 1); /* AT read-9 */
	unlock(8);
	lock(9);
	memcpy(text, (const void *)record(9), sizeof text); /* AT read-10 */
	sink = (uint64_t)text[sink & 1];
	unlock(9);
	pass(2);
	return unused;
}

int main(int count, char **arguments)
{
	race_begin(count, arguments);
	for (int number = 0; number < RECORDS; number++)
		pthread_mutex_init(&locks[number], NULL);
	race_threads(writer, reader);
	return 0;
}
