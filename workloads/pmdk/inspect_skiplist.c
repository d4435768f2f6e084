/* SPDX-License-Identifier: Apache-2.0 */
/* PMDK's skip list, compiled here so that the layout of its nodes is known, and its inspector. */
#include <skiplist_map.c>

#include "inspect.h"

/* Each level above the lowest must be a part of the level below it, in the same order. */
static void walk_level(struct inspection *inspection, const struct skiplist_map_node *head, int level)
{
	PMEMoid below = head->next[level - 1].oid;

	for (PMEMoid at = head->next[level].oid; !OID_IS_NULL(at);) {
		const struct skiplist_map_node *node = inspect_shared(inspection, at, TOID_TYPE_NUM(struct skiplist_map_node),
				sizeof(*node), "skiplist: upper link");

		while (!OID_IS_NULL(below) && !OID_EQUALS(below, at))
			below = ((const struct skiplist_map_node *)pmemobj_direct(below))->next[level - 1].oid;
		if (OID_IS_NULL(below))
			inconsistent("skiplist: key %#lx is on level %d, not in order on level %d", node->entry.key, level,
					level - 1);
		at = node->next[level].oid;
	}
}

void inspect_skiplist(struct inspection *inspection, PMEMoid map)
{
	const struct skiplist_map_node *head =
			inspect_object(inspection, map, TOID_TYPE_NUM(struct skiplist_map_node), sizeof(*head), "skiplist: map");
	uint64_t last_key = 0;

	for (PMEMoid at = head->next[0].oid; !OID_IS_NULL(at);) {
		const struct skiplist_map_node *node = inspect_object(inspection, at, TOID_TYPE_NUM(struct skiplist_map_node),
				sizeof(*node), "skiplist: link");

		if (node->entry.key <= last_key)
			inconsistent("skiplist: key %#lx comes after key %#lx", node->entry.key, last_key);
		last_key = node->entry.key;
		inspect_entry(inspection, node->entry.key, node->entry.value);
		at = node->next[0].oid;
	}
	for (int level = 1; level < SKIPLIST_LEVELS_NUM; level++)
		walk_level(inspection, head, level);
}
