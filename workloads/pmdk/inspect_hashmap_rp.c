/* SPDX-License-Identifier: Apache-2.0 */
/* PMDK's hash map on reserve and publish, compiled here so that its layout is known, and its inspector. */
#include <hashmap_rp.c>

#include "inspect.h"

void inspect_hashmap_rp(struct inspection *inspection, PMEMoid oid)
{
	const struct hashmap_rp *header =
			inspect_object(inspection, oid, TOID_TYPE_NUM(struct hashmap_rp), sizeof(*header), "hashmap_rp: map");
	const struct entry *entries = inspect_object(inspection, header->entries.oid, TOID_TYPE_NUM(struct entry),
			header->capacity * sizeof(*entries), "hashmap_rp: entries");
	size_t before = inspection->entry_count;

	if (header->capacity == 0 || (header->capacity & (header->capacity - 1)) != 0)
		inconsistent("hashmap_rp: capacity %lu is no power of two", header->capacity);
	if (header->resize_threshold != (uint64_t)(header->capacity * HASHMAP_RP_LOAD_FACTOR))
		inconsistent("hashmap_rp: threshold %lu does not fit capacity %lu", header->resize_threshold, header->capacity);
	for (size_t i = 0; i < header->capacity; i++) {
		if (entry_is_empty(entries[i].hash))
			continue;
		if (entries[i].hash != hash(header, entries[i].key))
			inconsistent("hashmap_rp: key %#lx has the wrong hash", entries[i].key);
		inspect_entry(inspection, entries[i].key, entries[i].value);
	}
	if (header->count != inspection->entry_count - before)
		inconsistent("hashmap_rp: counts %lu entries, has %zu", header->count, inspection->entry_count - before);
}
