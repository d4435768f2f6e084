/*
 * Memory of libpmemobj that is freed and allocated again: what its former owner did has nothing to do with the new one
 * (HawkSet, sections 5.4 and 7: the false positives that it leaves). The reader reads the first object without a lock,
 * and the second one under the lock under which it was published. So a tool that takes the two for one memory reports
 * what initialises the second one. Three functions allocate the three second objects.
 *
 * In the racy variant the writer publishes each before it is persisted. These are true races, within one life.
 *
 * RACE observed: atomic, persisted atomic-persist, second
 * RACE observed: transactional, persisted commit, second
 * RACE observed: moved, persisted moved-persist, second
 */
#include "race.h"
#include <libpmemobj.h>

#define SIZE 300000

static PMEMobjpool *pool;
static PMEMoid small;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile uint64_t *published;

static uint64_t *in_pool(PMEMoid object)
{
	return (uint64_t *)pmemobj_direct(object);
}

static void publish(volatile uint64_t *object)
{
	pthread_mutex_lock(&lock);
	published = object;
	pthread_mutex_unlock(&lock);
}

/* What the reader does with the first object and then with the second one. */
static void read_both(int round)
{
	turn(round + 1);
	sink = *published; /* AT first */
	pass(round + 2);
	turn(round + 3);
	pthread_mutex_lock(&lock);
	sink = *published; /* AT second */
	pthread_mutex_unlock(&lock);
	pass(round + 4);
}

static PMEMoid first_object(int round)
{
	PMEMoid object;
	need(pmemobj_zalloc(pool, &object, SIZE, 1) == 0, "pmemobj_zalloc");
	publish(in_pool(object));
	pass(round + 1);
	turn(round + 2);
	return object;
}

static void show(int round, PMEMoid object)
{
	publish(in_pool(object));
	pass(round + 3);
	turn(round + 4);
}

static void allocate_atomically(int round)
{
	PMEMoid object = first_object(round);
	uint64_t *before = in_pool(object);
	pmemobj_free(&object);
	need(pmemobj_alloc(pool, &object, SIZE, 1, NULL, NULL) == 0, "pmemobj_alloc");
	need(in_pool(object) == before, "the same place");
	*(volatile uint64_t *)in_pool(object) = 1; /* AT atomic */
	if (racy)
		show(round, object);
	pmemobj_persist(pool, in_pool(object), 8); /* AT atomic-persist */
	if (!racy)
		show(round, object);
	pmemobj_free(&object);
}

static void allocate_in_a_transaction(int round)
{
	PMEMoid object = first_object(round);
	uint64_t *before = in_pool(object);
	pmemobj_free(&object);
	TX_BEGIN(pool)
	{
		object = pmemobj_tx_alloc(SIZE, 1);
		*(volatile uint64_t *)in_pool(object) = 1; /* AT transactional */
		if (racy)
			show(round, object);
	}
	TX_END; /* AT commit */
	need(in_pool(object) == before, "the same place");
	if (!racy)
		show(round, object);
	pmemobj_free(&object);
}

/* A small object grows, to the place where the first object was. */
static void reallocate(int round)
{
	PMEMoid object = first_object(round);
	uint64_t *before = in_pool(object);
	pmemobj_free(&object);
	need(pmemobj_realloc(pool, &small, SIZE, 1) == 0, "pmemobj_realloc");
	need(in_pool(small) == before, "the same place");
	*(volatile uint64_t *)in_pool(small) = 1; /* AT moved */
	if (racy)
		show(round, small);
	pmemobj_persist(pool, in_pool(small), 8); /* AT moved-persist */
	if (!racy)
		show(round, small);
}

/* Then there is one place left. */
static void fill(void)
{
	PMEMoid last;
	PMEMoid object;
	while (pmemobj_alloc(pool, &object, SIZE, 1, NULL, NULL) == 0)
		last = object;
	pmemobj_free(&last);
}

static void *writer(void *unused)
{
	allocate_atomically(0);
	allocate_in_a_transaction(10);
	reallocate(20);
	return unused;
}

static void *reader(void *unused)
{
	read_both(0);
	read_both(10);
	read_both(20);
	return unused;
}

int main(int count, char **arguments)
{
	char path[4096];
	race_begin(count, arguments);
	snprintf(path, sizeof path, "%s.obj", pool_path);
	unlink(path);
	pool = pmemobj_create(path, "race", PMEMOBJ_MIN_POOL, 0644);
	need(pool != NULL, path);
	need(pmemobj_zalloc(pool, &small, 64, 1) == 0, "pmemobj_zalloc");
	fill();
	race_threads(writer, reader);
	pmemobj_close(pool);
	unlink(path);
	return 0;
}
