/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pool with one of PMDK's maps in it, the values it holds and the workload's progress. Every value shows which put
 * wrote it, so that after a crash the contents can be compared with what they must be.
 */
#ifndef STORE_H
#define STORE_H

#include "maps.h"
#include "operations.h"

enum { VALUE_TYPE = 1, DEFAULT_POOL_MEBIBYTES = 128 };

/* The pool's root object. */
struct store_root {
	TOID(struct map) map;
	struct sequence sequence; /* all zero before the first run */
	uint64_t completed; /* operations known to be done */
	uint64_t target; /* operations after which the run ends */
};

struct value {
	uint64_t key;
	uint64_t version; /* number of the put that wrote it, plus one */
	uint64_t payload[]; /* payload_words(key) words that follow from the key */
};

struct store {
	const struct tested_map *tested;
	PMEMobjpool *pop;
	struct store_root *root;
	struct map_ctx *context;
	TOID(struct map) map;
};

/* Makes a new pool with an empty map. Ends the program if that fails. */
void store_create(struct store *store, const struct tested_map *tested, const char *path, uint64_t mebibytes);

/* Opens the pool, which recovers PMDK's logs; ends the program with `failure` as its exit code if that fails. */
void store_open(struct store *store, const struct tested_map *tested, const char *path, enum exit_code failure);

/*
 * What an application does after pmemobj_open: recovers the map, and frees the value that a crash between the
 * allocation of a value and its insertion (or removal and release) has left behind. Inspects the map on the way.
 */
void store_recover(struct store *store);

void store_close(struct store *store);

/* The value of a key, NULL object if the key is absent. */
PMEMoid store_get(struct store *store, uint64_t key);

/* Puts, each step by itself, as PMDK's mapcli does it: allocate the value, insert it, free the value it replaced. */
void store_put(struct store *store, uint64_t key, uint64_t version);

/* Puts in one transaction. Only for transactional maps. */
void store_put_in_transaction(struct store *store, uint64_t key, uint64_t version);

/* Removes a key and frees its value. */
void store_delete(struct store *store, uint64_t key);

/* The version in a value, which must be a value of this key; says so and ends the program otherwise. */
uint64_t value_version(PMEMoid value, uint64_t key);

/* Walks the map and checks its structure, its values and its own traversal. The caller ends the inspection. */
void store_inspect(struct store *store, struct inspection *inspection);

#endif
