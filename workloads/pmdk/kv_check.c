/* SPDX-License-Identifier: Apache-2.0 */
#include "kv_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pool.h"

/* kv_server's own layout, declared in the same order so that the type numbers are the same. */
POBJ_LAYOUT_BEGIN(kv_server);
POBJ_LAYOUT_ROOT(kv_server, struct root);
POBJ_LAYOUT_TOID(kv_server, struct map_value);
POBJ_LAYOUT_TOID(kv_server, uint64_t);
POBJ_LAYOUT_END(kv_server);

struct map_value {
	uint64_t len;
	char buf[];
};

struct root {
	TOID(struct map) map;
};

/* kv_server's hash of a key (Bernstein's djb2). */
static uint64_t hash_of(const char *text)
{
	uint32_t hash = 5381;

	while (*text != '\0')
		hash = hash * 33 + (uint32_t)(int)*text++;
	return hash;
}

void create_kv_pool(const struct tested_map *tested, const char *path, uint64_t mebibytes)
{
	PMEMobjpool *pop = create_sparse_pool(path, POBJ_LAYOUT_NAME(kv_server), mebibytes);
	TOID(struct root) root = POBJ_ROOT(pop, struct root);
	struct map_ctx *context = map_ctx_init(tested->operations, pop);

	if (context == NULL || map_create(context, &D_RW(root)->map, NULL) != 0)
		trouble("cannot create the map: %s", pmemobj_errormsg());
	map_ctx_free(context);
	pmemobj_close(pop);
}

/* Takes a value apart, which must be exactly what kv_value makes for this map key. */
static void parse_value(struct inspection *inspection, const struct map_entry *entry, uint64_t *index, uint64_t *number)
{
	const struct map_value *value = inspect_object(inspection, entry->value, TOID_TYPE_NUM(struct map_value),
			sizeof(*value), "the value of a key");
	char text[KV_VALUE_SIZE], key[KV_KEY_SIZE];
	size_t length;

	if (sscanf(value->buf, "%lu:%lu:", index, number) != 2)
		inconsistent("the value of key %#lx is damaged", entry->key);
	kv_key(key, *index);
	kv_value(text, *index, *number);
	length = strlen(text);
	if (hash_of(key) != entry->key)
		inconsistent("key %#lx has the value of %s", entry->key, key);
	if (strncmp(value->buf, text, length) != 0 || value->buf[length] != '\n')
		inconsistent("the value of key %s is damaged", key);
	if (value->len < length || value->len + sizeof(*value) > pmemobj_alloc_usable_size(entry->value))
		inconsistent("the value of key %s claims %lu bytes", key, value->len);
}

static bool same(const struct contents *left, const struct contents *right)
{
	return memcmp(left->version, right->version, left->keys * sizeof(uint64_t)) == 0;
}

/*
 * The newest version shows how many operations are done, up to gets and deletes. A put to a key that is there is a
 * REMOVE and an INSERT for the server, so the contents may also lack the key of the operation under way.
 */
static void check_contents(const struct contents *found, const struct sequence *sequence, uint64_t operations)
{
	uint64_t newest = 0;
	struct contents expected;
	bool matches = false;

	for (uint64_t index = 0; index < found->keys; index++)
		if (found->version[index] > newest)
			newest = found->version[index];
	expected = contents_after(sequence, newest);
	for (uint64_t done = newest; !matches && done <= operations; done++) {
		struct operation operation = operation_at(sequence, done);
		uint64_t version = expected.version[operation.index];

		matches = same(found, &expected);
		if (matches || done == operations)
			break;
		if (operation.kind == OPERATION_PUT) {
			expected.version[operation.index] = 0;
			matches = same(found, &expected);
			expected.version[operation.index] = version;
		}
		contents_apply(&expected, &operation, done);
	}
	if (!matches)
		inconsistent("the contents are not those after any number of operations from %lu to %lu", newest, operations);
	free(expected.version);
}

void dump_kv_pool(const struct tested_map *tested, const char *path)
{
	PMEMobjpool *pop = pmemobj_open(path, POBJ_LAYOUT_NAME(kv_server));
	struct inspection inspection;

	if (pop == NULL)
		inconsistent("cannot open pool %s as kv_server: %s", path, pmemobj_errormsg());
	inspection_begin(&inspection, pop, TOID_TYPE_NUM(struct map_value));
	tested->inspect(&inspection, D_RO(POBJ_ROOT(pop, struct root))->map.oid);
	inspection_sort(&inspection);
	for (size_t i = 0; i < inspection.entry_count; i++) {
		uint64_t index = 0, number = 0;

		parse_value(&inspection, &inspection.entries[i], &index, &number);
		printf("%lu %lu\n", index, number + 1);
	}
	inspection_end(&inspection);
	pmemobj_close(pop);
}

void check_kv_pool(const struct tested_map *tested, const char *path, const struct sequence *sequence,
		uint64_t operations)
{
	PMEMobjpool *pop = pmemobj_open(path, POBJ_LAYOUT_NAME(kv_server));
	struct inspection inspection;
	struct contents found;

	if (pop == NULL)
		inconsistent("cannot open pool %s as kv_server: %s", path, pmemobj_errormsg());
	inspection_begin(&inspection, pop, TOID_TYPE_NUM(struct map_value));
	tested->inspect(&inspection, D_RO(POBJ_ROOT(pop, struct root))->map.oid);
	found = contents_after(sequence, 0);
	for (size_t i = 0; i < inspection.entry_count; i++) {
		uint64_t index = 0, number = 0;

		parse_value(&inspection, &inspection.entries[i], &index, &number);
		if (index >= sequence->keys || number >= operations || found.version[index] != 0)
			inconsistent("key %#lx has a value that no operation wrote, or is in the map twice",
					inspection.entries[i].key);
		found.version[index] = number + 1;
	}
	if (inspection_unreached(&inspection, TOID_TYPE_NUM(struct map_value)) != 0)
		inconsistent("%zu values are allocated and not in the map",
				inspection_unreached(&inspection, TOID_TYPE_NUM(struct map_value)));
	check_contents(&found, sequence, operations);
	printf("kv_server's %s: consistent, %zu entries\n", tested->name, inspection.entry_count);
	free(found.version);
	inspection_end(&inspection);
	pmemobj_close(pop);
}
