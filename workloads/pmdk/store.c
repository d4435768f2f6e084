/* SPDX-License-Identifier: Apache-2.0 */
#include "store.h"

#include <stdio.h>
#include <stdlib.h>

#include "hashmap.h"
#include "pool.h"

enum { MAP_SEED = 1 }; /* hashmap_atomic's recovery counts on srand having been called with the map's own seed */

TOID_DECLARE_ROOT(struct store_root);

static uint64_t payload_words(uint64_t key)
{
	return scatter(key) % 5 * 3;
}

static size_t value_size(uint64_t key)
{
	return sizeof(struct value) + payload_words(key) * sizeof(uint64_t);
}

static void fill_value(struct value *value, uint64_t key, uint64_t version)
{
	value->key = key;
	value->version = version;
	for (uint64_t i = 0; i < payload_words(key); i++)
		value->payload[i] = scatter(key + i);
}

static void attach(struct store *store, const struct tested_map *tested, PMEMobjpool *pop)
{
	store->tested = tested;
	store->pop = pop;
	store->root = pmemobj_direct(pmemobj_root(pop, sizeof(struct store_root)));
	store->context = map_ctx_init(tested->operations, pop);
	if (store->root == NULL || store->context == NULL)
		trouble("cannot allocate the pool's root: %s", pmemobj_errormsg());
}

void store_create(struct store *store, const struct tested_map *tested, const char *path, uint64_t mebibytes)
{
	struct hashmap_args arguments = {MAP_SEED};

	attach(store, tested, create_sparse_pool(path, tested->name, mebibytes));
	srand(arguments.seed);
	if (map_create(store->context, &store->root->map, &arguments) != 0 || TOID_IS_NULL(store->root->map))
		trouble("cannot create the map: %s", pmemobj_errormsg());
	store->map = store->root->map;
}

void store_open(struct store *store, const struct tested_map *tested, const char *path, enum exit_code failure)
{
	PMEMobjpool *pop = pmemobj_open(path, tested->name);

	if (pop == NULL) {
		fprintf(stderr, "cannot open pool %s as %s: %s\n", path, tested->name, pmemobj_errormsg());
		exit(failure);
	}
	attach(store, tested, pop);
	store->map = store->root->map;
}

void store_recover(struct store *store)
{
	struct inspection inspection;

	if (map_check(store->context, store->map) != 0)
		inconsistent("the pool's root does not lead to a %s", store->tested->name);
	if (map_init(store->context, store->map) != 0)
		inconsistent("the map's recovery failed");
	store_inspect(store, &inspection);
	if (inspection_unreached(&inspection, VALUE_TYPE) > 1)
		inconsistent("%zu values are allocated and not in the map; one crash leaves one at most",
				inspection_unreached(&inspection, VALUE_TYPE));
	for (size_t i = 0; i < inspection.object_count; i++)
		if (inspection.objects[i].type == VALUE_TYPE && !inspection.objects[i].seen) {
			PMEMoid left = {pmemobj_root(store->pop, 1).pool_uuid_lo, inspection.objects[i].offset};

			pmemobj_free(&left);
		}
	inspection_end(&inspection);
}

void store_close(struct store *store)
{
	map_ctx_free(store->context);
	pmemobj_close(store->pop);
}

PMEMoid store_get(struct store *store, uint64_t key)
{
	return map_get(store->context, store->map, key);
}

struct value_arguments {
	uint64_t key;
	uint64_t version;
};

static int construct_value(PMEMobjpool *pop, void *at, void *argument)
{
	const struct value_arguments *arguments = argument;

	fill_value(at, arguments->key, arguments->version);
	pmemobj_persist(pop, at, value_size(arguments->key));
	return 0;
}

static PMEMoid allocate_value(struct store *store, uint64_t key, uint64_t version)
{
	struct value_arguments arguments = {key, version};
	PMEMoid value = OID_NULL;

	if (pmemobj_alloc(store->pop, &value, value_size(key), VALUE_TYPE, construct_value, &arguments) != 0)
		trouble("cannot allocate a value: %s", pmemobj_errormsg());
	return value;
}

static void insert(struct store *store, uint64_t key, PMEMoid value)
{
	if (map_insert(store->context, store->map, key, value) < 0)
		trouble("the map refused key %#lx: %s", key, pmemobj_errormsg());
}

static void check_put(struct store *store, uint64_t key, PMEMoid value)
{
	if (!OID_EQUALS(store_get(store, key), value))
		trouble("a put of key %#lx had no effect: %s", key, pmemobj_errormsg());
}

/* Swaps a value for another where the map would keep both or refuse the new one. */
static void replace_in_transaction(struct store *store, uint64_t key, PMEMoid value, PMEMoid old)
{
	TX_BEGIN(store->pop)
	{
		map_remove(store->context, store->map, key);
		insert(store, key, value);
		pmemobj_tx_free(old);
	}
	TX_ONABORT
	{
		trouble("transaction aborted: %s", pmemobj_errormsg());
	}
	TX_END
}

static void update_in_place(struct store *store, uint64_t key, uint64_t version, PMEMoid old)
{
	struct value *value = pmemobj_direct(old);

	if (map_insert(store->context, store->map, key, old) != 1)
		trouble("the map did not notice that key %#lx is there", key);
	value->version = version;
	pmemobj_persist(store->pop, &value->version, sizeof(value->version));
}

void store_put(struct store *store, uint64_t key, uint64_t version)
{
	PMEMoid old = store_get(store, key);
	PMEMoid value;

	if (!OID_IS_NULL(old) && store->tested->replacement == REPLACED_IN_PLACE) {
		update_in_place(store, key, version, old);
		return;
	}
	value = allocate_value(store, key, version);
	if (!OID_IS_NULL(old) && store->tested->replacement == REPLACED_BY_REMOVE) {
		replace_in_transaction(store, key, value, old);
	} else {
		insert(store, key, value);
		if (!OID_IS_NULL(old))
			pmemobj_free(&old);
	}
	check_put(store, key, value);
}

void store_put_in_transaction(struct store *store, uint64_t key, uint64_t version)
{
	PMEMoid old = store_get(store, key);

	TX_BEGIN(store->pop)
	{
		PMEMoid value = pmemobj_tx_alloc(value_size(key), VALUE_TYPE);

		fill_value(pmemobj_direct(value), key, version);
		if (!OID_IS_NULL(old) && store->tested->replacement == REPLACED_BY_REMOVE)
			map_remove(store->context, store->map, key);
		insert(store, key, value);
		if (!OID_IS_NULL(old))
			pmemobj_tx_free(old);
		check_put(store, key, value);
	}
	TX_ONABORT
	{
		trouble("transaction aborted: %s", pmemobj_errormsg());
	}
	TX_END
}

void store_delete(struct store *store, uint64_t key)
{
	PMEMoid value = store_get(store, key);

	/* btree_map_remove follows the null root of a map that never held a key. */
	if (OID_IS_NULL(value) && store->tested->operations->is_empty != NULL && map_is_empty(store->context, store->map))
		return;
	/* hm_atomic_remove returns what it reads from the entry it has freed: the value is taken from map_get. */
	map_remove(store->context, store->map, key);
	if (!OID_IS_NULL(value))
		pmemobj_free(&value);
}

uint64_t value_version(PMEMoid oid, uint64_t key)
{
	const struct value *value = pmemobj_direct(oid);

	if (value->key != key)
		inconsistent("key %#lx has the value of key %#lx", key, value->key);
	for (uint64_t i = 0; i < payload_words(key); i++)
		if (value->payload[i] != scatter(key + i))
			inconsistent("the value of key %#lx is damaged in word %lu", key, i);
	return value->version;
}

/* What map_foreach reports, in a form that does not depend on the order. */
struct traversal {
	size_t count;
	uint64_t keys;
	uint64_t values;
};

static int add_to_traversal(uint64_t key, PMEMoid value, void *argument)
{
	struct traversal *traversal = argument;

	if (OID_IS_NULL(value))
		return 0; /* rtree reports its inner nodes too */
	traversal->count++;
	traversal->keys += scatter(key);
	traversal->values += scatter(value.off);
	return 0;
}

static void check_traversal(struct store *store, const struct inspection *inspection)
{
	struct traversal expected = {0}, seen = {0};

	for (size_t i = 0; i < inspection->entry_count; i++)
		add_to_traversal(inspection->entries[i].key, inspection->entries[i].value, &expected);
	map_foreach(store->context, store->map, add_to_traversal, &seen);
	if (seen.count != expected.count || seen.values != expected.values ||
			(store->tested->foreach_keys && seen.keys != expected.keys))
		inconsistent("map_foreach reports %zu entries that are not the %zu of the map", seen.count, expected.count);
	if (store->tested->operations->count != NULL && map_count(store->context, store->map) != expected.count)
		inconsistent("map_count says %zu, the map has %zu entries", map_count(store->context, store->map),
				expected.count);
}

void store_inspect(struct store *store, struct inspection *inspection)
{
	inspection_begin(inspection, store->pop, VALUE_TYPE);
	store->tested->inspect(inspection, store->map.oid);
	for (size_t i = 0; i < inspection->entry_count; i++) {
		const struct map_entry *entry = &inspection->entries[i];

		inspect_object(inspection, entry->value, VALUE_TYPE, value_size(entry->key), "the value of a key");
		value_version(entry->value, entry->key);
		if (!OID_EQUALS(store_get(store, entry->key), entry->value))
			inconsistent("map_get does not find key %#lx, which is in the map", entry->key);
		if (!map_lookup(store->context, store->map, entry->key))
			inconsistent("map_lookup does not find key %#lx, which is in the map", entry->key);
	}
	check_traversal(store, inspection);
}
