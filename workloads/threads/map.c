/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One of PMDK's maps behind threads that share a lock of libpmemobj: a mutex for each operation, or a reader-writer lock
 * that gets take as readers.
 *
 *   map create|run|check DIRECTORY [MAP mutex|rwlock [THREADS OPERATIONS]]
 */
#include <libpmemobj.h>

#include "maps.h"
#include "threads.h"

POBJ_LAYOUT_BEGIN(threads);
POBJ_LAYOUT_ROOT(threads, struct root);
POBJ_LAYOUT_END(threads);

struct root {
	PMEMmutex mutex;
	PMEMrwlock rwlock;
	TOID(struct map) map;
};

static PMEMobjpool *pool;
static struct root *root;
static struct map_ctx *context;
static int shares;
static volatile int sink;

static void lock(int reads)
{
	if (!shares)
		pmemobj_mutex_lock(pool, &root->mutex);
	else if (reads)
		pmemobj_rwlock_rdlock(pool, &root->rwlock);
	else
		pmemobj_rwlock_wrlock(pool, &root->rwlock);
}

static void unlock(void)
{
	if (shares)
		pmemobj_rwlock_unlock(pool, &root->rwlock);
	else
		pmemobj_mutex_unlock(pool, &root->mutex);
}

static void *work(void *argument)
{
	struct worker *worker = (struct worker *)argument;
	for (long i = 0; i < worker->operations; i++) {
		uint64_t key = 1 + next_random(worker) % KEYS;
		uint64_t what = next_random(worker) % 4;
		lock(what == 0);
		int found = map_lookup(context, root->map, key);
		if (what == 1 && found)
			map_remove(context, root->map, key); /* btree's fails in an empty map */
		else if (what > 1 && !found)
			map_insert(context, root->map, key, OID_NULL);
		sink = found;
		unlock();
	}
	return NULL;
}

int main(int count, char **arguments)
{
	char path[4096];
	need(count >= 3, "usage: map create|run|check DIRECTORY [MAP mutex|rwlock [THREADS OPERATIONS]]");
	const struct tested_map *map = find_map(count > 3 ? arguments[3] : "btree");
	need(map != NULL, "no such map");
	shares = count > 4 && strcmp(arguments[4], "rwlock") == 0;
	snprintf(path, sizeof path, "%s/pool", arguments[2]);
	int creates = strcmp(arguments[1], "create") == 0;
	pool = creates ? pmemobj_create(path, POBJ_LAYOUT_NAME(threads), 64 << 20, 0644)
				   : pmemobj_open(path, POBJ_LAYOUT_NAME(threads));
	need(pool != NULL, pmemobj_errormsg());
	root = (struct root *)pmemobj_direct(pmemobj_root(pool, sizeof *root));
	context = map_ctx_init(map->operations, pool);
	if (creates)
		need(map_create(context, &root->map, NULL) == 0, "map_create");
	else if (strcmp(arguments[1], "check") == 0)
		need(map_check(context, root->map) == 0, "map_check");
	else
		run_threads(work, count > 5 ? atoi(arguments[5]) : 4, count > 6 ? atol(arguments[6]) : 400);
	map_ctx_free(context);
	pmemobj_close(pool);
	return 0;
}
