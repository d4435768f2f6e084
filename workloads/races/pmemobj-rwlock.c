/*
 * A transaction persists at its commit. The racy one gives its lock back before that.
 *
 * RACE region: store, persisted commit, load
 */
#include "race.h"
#include <libpmemobj.h>

struct root {
	PMEMrwlock lock;
	volatile uint64_t value;
};

static PMEMobjpool *pool;
static struct root *root;

static void *writer(void *unused)
{
	pmemobj_rwlock_wrlock(pool, &root->lock);
	TX_BEGIN(pool)
	{
		pmemobj_tx_add_range_direct((const void *)&root->value, 8);
		root->value = 1; /* AT store */
		if (racy)
			pmemobj_rwlock_unlock(pool, &root->lock);
		pmemobj_tx_commit(); /* AT commit */
	}
	TX_END
	if (!racy)
		pmemobj_rwlock_unlock(pool, &root->lock);
	pass(1);
	return unused;
}

static void *reader(void *unused)
{
	turn(1);
	pmemobj_rwlock_rdlock(pool, &root->lock);
	sink = root->value; /* AT load */
	pmemobj_rwlock_unlock(pool, &root->lock);
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
	root = (struct root *)pmemobj_direct(pmemobj_root(pool, sizeof *root));
	root->value = 0;
	pmemobj_persist(pool, (const void *)&root->value, 8);
	race_threads(writer, reader);
	pmemobj_close(pool);
	unlink(path);
	return 0;
}
