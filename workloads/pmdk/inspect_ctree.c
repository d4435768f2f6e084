/* SPDX-License-Identifier: Apache-2.0 */
/* PMDK's crit-bit tree, compiled here so that the layout of its nodes is known, and its inspector. */
#include <ctree_map.c>

#include "inspect.h"

/* Checks the part of the tree below an entry, whose critical bits are below `limit`; returns one of its keys. */
static uint64_t walk_entry(struct inspection *inspection, const struct tree_map_entry *entry, int limit)
{
	const struct tree_map_node *node;
	uint64_t zero, one;

	if (entry->key != 0) { /* a leaf: the map clears the key of an entry that leads on */
		inspect_entry(inspection, entry->key, entry->slot);
		return entry->key;
	}
	node = inspect_object(inspection, entry->slot, TOID_TYPE_NUM(struct tree_map_node), sizeof(*node),
			"ctree: inner entry");
	if (node->diff < 0 || node->diff >= limit)
		inconsistent("ctree: critical bit %d below critical bit %d", node->diff, limit);
	zero = walk_entry(inspection, &node->entries[0], node->diff);
	one = walk_entry(inspection, &node->entries[1], node->diff);
	if (((zero ^ one) >> node->diff) != 1 || BIT_IS_SET(zero, node->diff))
		inconsistent("ctree: keys %#lx and %#lx do not part at bit %d", zero, one, node->diff);
	return zero;
}

void inspect_ctree(struct inspection *inspection, PMEMoid map)
{
	const struct ctree_map *tree =
			inspect_object(inspection, map, TOID_TYPE_NUM(struct ctree_map), sizeof(*tree), "ctree: map");

	if (!OID_IS_NULL(tree->root.slot))
		walk_entry(inspection, &tree->root, 64);
	else if (tree->root.key != 0)
		inconsistent("ctree: the root has key %#lx and no value", tree->root.key);
}
