/* SPDX-License-Identifier: Apache-2.0 */
/* PMDK's hash map on atomic lists, compiled here so that its layout is known, and its inspector. */
#include <hashmap_atomic.c>

#include "inspect.h"

static void walk_bucket(struct inspection *inspection, TOID(struct hashmap_atomic) *map,
		const struct hashmap_atomic *header, PMEMoid first, size_t bucket)
{
	PMEMoid at = first;
	PMEMoid previous = OID_NULL;

	if (OID_IS_NULL(first))
		return;
	do {
		const struct entry *entry =
				inspect_object(inspection, at, TOID_TYPE_NUM(struct entry), sizeof(*entry), "hashmap_atomic: entry");

		if (!OID_IS_NULL(previous) && !OID_EQUALS(entry->list.pe_prev.oid, previous))
			inconsistent("hashmap_atomic: key %#lx has the wrong predecessor", entry->key);
		if (hash(map, &header->buckets, entry->key) != bucket)
			inconsistent("hashmap_atomic: key %#lx is in the wrong bucket %zu", entry->key, bucket);
		inspect_entry(inspection, entry->key, entry->value);
		previous = at;
		at = entry->list.pe_next.oid;
	} while (!OID_EQUALS(at, first));
	if (!OID_EQUALS(((const struct entry *)pmemobj_direct(first))->list.pe_prev.oid, previous))
		inconsistent("hashmap_atomic: bucket %zu is no ring", bucket);
}

void inspect_hashmap_atomic(struct inspection *inspection, PMEMoid oid)
{
	TOID(struct hashmap_atomic) map = {oid};
	const struct hashmap_atomic *header = inspect_object(inspection, oid, TOID_TYPE_NUM(struct hashmap_atomic),
			sizeof(*header), "hashmap_atomic: map");
	const struct buckets *buckets = inspect_object(inspection, header->buckets.oid, TOID_TYPE_NUM(struct buckets),
			sizeof(*buckets), "hashmap_atomic: buckets");
	size_t before = inspection->entry_count;

	if (!TOID_IS_NULL(header->buckets_tmp))
		inconsistent("hashmap_atomic: a rebuild is under way after recovery");
	if (header->count_dirty)
		inconsistent("hashmap_atomic: the count is dirty after recovery");
	if (buckets->nbuckets == 0 ||
			buckets->nbuckets * sizeof(buckets->bucket[0]) + sizeof(*buckets) >
					pmemobj_alloc_usable_size(header->buckets.oid))
		inconsistent("hashmap_atomic: %zu buckets in %zu bytes", buckets->nbuckets,
				pmemobj_alloc_usable_size(header->buckets.oid));
	for (size_t i = 0; i < buckets->nbuckets; i++)
		walk_bucket(inspection, &map, header, buckets->bucket[i].pe_first.oid, i);
	if (header->count != inspection->entry_count - before)
		inconsistent("hashmap_atomic: counts %lu entries, has %zu", header->count, inspection->entry_count - before);
}
