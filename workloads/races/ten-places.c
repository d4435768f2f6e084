/*
 * A hash table of two buckets with one mistake, the persist behind the lock, which five ways of writing and two of
 * reading share: ten races, of five stores with two loads.
 *
 * RACE lockset|region|observed: insert, persisted insert-persist, get
 * RACE lockset|region|observed: insert, persisted insert-persist, sum
 * RACE lockset|region|observed: update, persisted update-persist, get
 * RACE lockset|region|observed: update, persisted update-persist, sum
 * RACE lockset|region|observed: add, persisted add-persist, get
 * RACE lockset|region|observed: add, persisted add-persist, sum
 * RACE lockset|region|observed: remove, persisted remove-persist, get
 * RACE lockset|region|observed: remove, persisted remove-persist, sum
 * RACE lockset|region|observed: clear, persisted clear-persist, get
 * RACE lockset|region|observed: clear, persisted clear-persist, sum
 */
#include "race.h"

#define BUCKETS 2

static pthread_mutex_t locks[BUCKETS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void begin(int bucket)
{
	pthread_mutex_lock(&locks[bucket]);
}

static void end(int bucket)
{
	pthread_mutex_unlock(&locks[bucket]);
}

static volatile uint64_t *slot(int bucket)
{
	return &pm[bucket].word[3];
}

static void table_insert(int bucket)
{
	begin(bucket);
	*slot(bucket) = 1; /* AT insert */
	if (racy)
		end(bucket);
	pm_persist(slot(bucket)); /* AT insert-persist */
	if (!racy)
		end(bucket);
}

static void table_update(int bucket)
{
	begin(bucket);
	*slot(bucket) = 2; /* AT update */
	if (racy)
		end(bucket);
	pm_persist(slot(bucket)); /* AT update-persist */
	if (!racy)
		end(bucket);
}

static void table_add(int bucket)
{
	begin(bucket);
	*slot(bucket) += 3; /* AT add */
	if (racy)
		end(bucket);
	pm_persist(slot(bucket)); /* AT add-persist */
	if (!racy)
		end(bucket);
}

static void table_remove(int bucket)
{
	begin(bucket);
	*slot(bucket) = 0; /* AT remove */
	if (racy)
		end(bucket);
	pm_persist(slot(bucket)); /* AT remove-persist */
	if (!racy)
		end(bucket);
}

static void table_clear(void)
{
	for (int bucket = 0; bucket < BUCKETS; bucket++) {
		begin(bucket);
		*slot(bucket) = 0; /* AT clear */
		if (racy)
			end(bucket);
		pm_persist(slot(bucket)); /* AT clear-persist */
		if (!racy)
			end(bucket);
	}
}

static uint64_t table_get(int bucket)
{
	begin(bucket);
	uint64_t value = *slot(bucket); /* AT get */
	end(bucket);
	return value;
}

static uint64_t table_sum(void)
{
	uint64_t sum = 0;
	begin(0);
	begin(1);
	for (int bucket = 0; bucket < BUCKETS; bucket++)
		sum += *slot(bucket); /* AT sum */
	end(1);
	end(0);
	return sum;
}

static void *writer(void *unused)
{
	for (int round = 0; round < 3; round++) {
		for (int bucket = 0; bucket < BUCKETS; bucket++) {
			table_insert(bucket);
			table_update(bucket);
			table_add(bucket);
			table_remove(bucket);
		}
		table_clear();
	}
	return unused;
}

static void *reader(void *unused)
{
	for (int round = 0; round < 3; round++) {
		sink = table_get(0);
		sink = table_sum();
		sink = table_get(1);
	}
	return unused;
}

RACE_MAIN(writer, reader)
