/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inspecting a map from outside: each PMDK map has an inspector that walks its raw structure, checks the
 * structure's own invariants and reports every entry. Nothing that the walk follows is trusted: an object must be
 * one that the pool's allocator knows, of the expected type, before it is looked into.
 */
#ifndef INSPECT_H
#define INSPECT_H

#include <libpmemobj.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "map.h"

enum exit_code { EXIT_CONSISTENT = 0, EXIT_INCONSISTENT = 1, EXIT_USAGE = 2, EXIT_TROUBLE = 3 };

/* Says what is wrong with the pool and ends the program with EXIT_INCONSISTENT. */
void inconsistent(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Says what kept the program from doing its work (not a property of the pool) and ends it with EXIT_TROUBLE. */
void trouble(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* One object of the pool's heap. */
struct object {
	uint64_t offset;
	uint64_t type;
	uint64_t size;
	bool seen; /* reached from the map in this inspection */
};

struct map_entry {
	uint64_t key;
	PMEMoid value;
};

struct inspection {
	PMEMobjpool *pop;
	uint64_t pool_uuid; /* of every reference into this pool */
	uint64_t value_type; /* type number of the values */
	struct object *objects; /* ordered by offset */
	size_t object_count;
	struct map_entry *entries;
	size_t entry_count;
	size_t entry_capacity;
	size_t odd_nodes; /* nodes that break a rule of the textbook without breaking the map */
};

/* Takes stock of the pool's heap. */
void inspection_begin(struct inspection *inspection, PMEMobjpool *pop, uint64_t value_type);
void inspection_end(struct inspection *inspection);

/*
 * Follows a reference: the object must be allocated, of this type, at least this large and reached only once. `what`
 * names the reference in the message. Returns its address.
 */
const void *inspect_object(struct inspection *inspection, PMEMoid oid, uint64_t type, size_t size, const char *what);

/* The same for an object that may be reached again, such as a sentinel. */
const void *inspect_shared(struct inspection *inspection, PMEMoid oid, uint64_t type, size_t size, const char *what);

/* Reports an entry of the map. */
void inspect_entry(struct inspection *inspection, uint64_t key, PMEMoid value);

/* Orders the entries by their keys. */
void inspection_sort(struct inspection *inspection);

/* The number of allocated objects of a type that were not reached. */
size_t inspection_unreached(const struct inspection *inspection, uint64_t type);

/* One inspector for each map; the map's root object is given. */
void inspect_btree(struct inspection *inspection, PMEMoid map);
void inspect_ctree(struct inspection *inspection, PMEMoid map);
void inspect_rbtree(struct inspection *inspection, PMEMoid map);
void inspect_rtree(struct inspection *inspection, PMEMoid map);
void inspect_hashmap_atomic(struct inspection *inspection, PMEMoid map);
void inspect_hashmap_tx(struct inspection *inspection, PMEMoid map);
void inspect_hashmap_rp(struct inspection *inspection, PMEMoid map);
void inspect_skiplist(struct inspection *inspection, PMEMoid map);

#endif
