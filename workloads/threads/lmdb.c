/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LMDB with a writable map: one thread writes transactions, others read.
 *
 *   lmdb create|run|check DIRECTORY [THREADS OPERATIONS]
 */
#include <lmdb.h>

#include "threads.h"

static MDB_env *environment;
static MDB_dbi database;
static volatile uint64_t sink;

static void one_write(struct worker *worker)
{
	MDB_txn *transaction;
	uint64_t key = next_random(worker) % KEYS;
	uint64_t value = next_random(worker);
	MDB_val name = {sizeof key, &key};
	MDB_val data = {sizeof value, &value};
	need(mdb_txn_begin(environment, NULL, 0, &transaction) == 0, "mdb_txn_begin");
	need(mdb_put(transaction, database, &name, &data, 0) == 0, "mdb_put");
	need(mdb_txn_commit(transaction) == 0, "mdb_txn_commit");
}

static void one_read(struct worker *worker)
{
	MDB_txn *transaction;
	uint64_t key = next_random(worker) % KEYS;
	MDB_val name = {sizeof key, &key};
	MDB_val data;
	need(mdb_txn_begin(environment, NULL, MDB_RDONLY, &transaction) == 0, "mdb_txn_begin");
	if (mdb_get(transaction, database, &name, &data) == 0)
		sink = *(const uint64_t *)data.mv_data;
	mdb_txn_abort(transaction);
}

static void *work(void *argument)
{
	struct worker *worker = (struct worker *)argument;
	int writes = worker->random == 1;
	for (long i = 0; i < worker->operations; i++) {
		if (writes)
			one_write(worker);
		else
			one_read(worker);
	}
	return NULL;
}

int main(int count, char **arguments)
{
	MDB_txn *transaction;
	need(count >= 3, "usage: lmdb create|run|check DIRECTORY [THREADS OPERATIONS]");
	need(mdb_env_create(&environment) == 0, "mdb_env_create");
	mdb_env_set_mapsize(environment, 16 << 20);
	need(mdb_env_open(environment, arguments[2], MDB_WRITEMAP, 0644) == 0, "mdb_env_open");
	need(mdb_txn_begin(environment, NULL, 0, &transaction) == 0, "mdb_txn_begin");
	need(mdb_dbi_open(transaction, NULL, MDB_INTEGERKEY, &database) == 0, "mdb_dbi_open");
	need(mdb_txn_commit(transaction) == 0, "mdb_txn_commit");
	if (strcmp(arguments[1], "run") == 0)
		run_threads(work, count > 3 ? atoi(arguments[3]) : 4, count > 4 ? atol(arguments[4]) : 200);
	mdb_env_close(environment);
	return 0;
}
