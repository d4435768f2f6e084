/* SPDX-License-Identifier: Apache-2.0 */
/* PMDK's transactional hash map, compiled here so that its layout is known, and its inspector. */
#include <hashmap_tx.c>

#include "inspect.h"

void inspect_hashmap_tx(struct inspection *inspection, PMEMoid oid)
{
	TOID(struct hashmap_tx) map = {oid};
	const struct hashmap_tx *header =
			inspect_object(inspection, oid, TOID_TYPE_NUM(struct hashmap_tx), sizeof(*header), "hashmap_tx: map");
	const struct buckets *buckets = inspect_object(inspection, header->buckets.oid, TOID_TYPE_NUM(struct buckets),
			sizeof(*buckets), "hashmap_tx: buckets");
	size_t before = inspection->entry_count;

	if (buckets->nbuckets == 0 ||
			buckets->nbuckets * sizeof(buckets->bucket[0]) + sizeof(*buckets) >
					pmemobj_alloc_usable_size(header->buckets.oid))
		inconsistent("hashmap_tx: %zu buckets in %zu bytes", buckets->nbuckets,
				pmemobj_alloc_usable_size(header->buckets.oid));
	for (size_t i = 0; i < buckets->nbuckets; i++)
		for (PMEMoid at = buckets->bucket[i].oid; !OID_IS_NULL(at);) {
			const struct entry *entry =
					inspect_object(inspection, at, TOID_TYPE_NUM(struct entry), sizeof(*entry), "hashmap_tx: entry");

			if (hash(&map, &header->buckets, entry->key) != i)
				inconsistent("hashmap_tx: key %#lx is in the wrong bucket %zu", entry->key, i);
			inspect_entry(inspection, entry->key, entry->value);
			at = entry->next.oid;
		}
	if (header->count != inspection->entry_count - before)
		inconsistent("hashmap_tx: counts %lu entries, has %zu", header->count, inspection->entry_count - before);
}
