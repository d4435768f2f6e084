/* Four threads append to one log under a lock. The bug counts an entry before it is written. */
#include "pm.h"

#include <pthread.h>

#define THREADS 4
#define EACH 6

struct entry {
	uint64_t writer PM_ALIGNED; /* from 1 */
	uint64_t check; /* ~writer */
};

struct pool {
	uint64_t count PM_ALIGNED;
	struct entry entries[THREADS * EACH];
};

struct writer {
	pthread_t thread;
	struct pool *pool;
	uint64_t number;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void create(struct pool *pool)
{
	(void)pool;
}

static void write_entry(struct entry *entry, uint64_t writer)
{
	entry->writer = writer; /* AT writer */
	entry->check = ~writer; /* AT check */
	pm_persist(entry, sizeof *entry); /* AT persist */
}

static void set_count(struct pool *pool, uint64_t count)
{
	pool->count = count;
	pm_persist(&pool->count, sizeof pool->count);
}

static void append(struct pool *pool, uint64_t writer)
{
	pthread_mutex_lock(&lock);
	uint64_t count = pool->count;
#if BUG
	set_count(pool, count + 1); /* BUG-AT */
	write_entry(&pool->entries[count], writer);
#else
	write_entry(&pool->entries[count], writer);
	set_count(pool, count + 1);
#endif
	pthread_mutex_unlock(&lock);
}

static void *write_entries(void *argument)
{
	struct writer *writer = argument;
	for (int i = 0; i < EACH; i++)
		append(writer->pool, writer->number);
	return NULL;
}

static void run(struct pool *pool)
{
	struct writer writers[THREADS];
	for (int i = 0; i < THREADS; i++) {
		writers[i].pool = pool;
		writers[i].number = i + 1;
		if (pthread_create(&writers[i].thread, NULL, write_entries, &writers[i]) != 0)
			pm_fail("pthread_create");
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(writers[i].thread, NULL);
}

static const char *check(struct pool *pool)
{
	if (pool->count > THREADS * EACH)
		return "more entries than there is room for";
	for (uint64_t i = 0; i < pool->count; i++)
		if (pool->entries[i].writer == 0 || pool->entries[i].check != ~pool->entries[i].writer)
			return "an entry was counted, but not written";
	return NULL;
}

PM_MAIN
