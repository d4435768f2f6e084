/* SPDX-License-Identifier: Apache-2.0 */
/* PMDK's btree, compiled here so that the layout of its nodes is known, and its inspector. */
#include <btree_map.c>

#include "inspect.h"

struct walk {
	struct inspection *inspection;
	int leaf_depth; /* -1 until the first leaf */
	uint64_t last_key; /* 0 until the first key */
};

static void walk_node(struct walk *walk, PMEMoid oid, int depth)
{
	const struct tree_map_node *node =
			inspect_object(walk->inspection, oid, TOID_TYPE_NUM(struct tree_map_node), sizeof(*node), "btree: child");
	bool leaf;

	if (node->n < 0 || node->n > BTREE_ORDER - 1)
		inconsistent("btree: a node claims %d keys; the most is %d", node->n, BTREE_ORDER - 1);
	leaf = OID_IS_NULL(node->slots[0].oid);
	/*
	 * btree_map_remove_from_node takes a successor from a leaf two or more levels below and rebalances only that
	 * leaf, so nodes with too few keys are the map's ordinary condition: counted, not condemned.
	 */
	if (depth > 0 && node->n < BTREE_MIN)
		walk->inspection->odd_nodes++;
	if (leaf && walk->leaf_depth >= 0 && walk->leaf_depth != depth)
		inconsistent("btree: leaves at depths %d and %d", walk->leaf_depth, depth);
	if (leaf)
		walk->leaf_depth = depth;
	for (int i = 0; i <= node->n; i++) {
		if (leaf && !OID_IS_NULL(node->slots[i].oid))
			inconsistent("btree: a leaf has a child");
		if (!leaf)
			walk_node(walk, node->slots[i].oid, depth + 1);
		if (i == node->n)
			break;
		if (node->items[i].key <= walk->last_key)
			inconsistent("btree: key %#lx comes after key %#lx", node->items[i].key, walk->last_key);
		walk->last_key = node->items[i].key;
		inspect_entry(walk->inspection, node->items[i].key, node->items[i].value);
	}
}

void inspect_btree(struct inspection *inspection, PMEMoid map)
{
	struct walk walk = {inspection, -1, 0};
	const struct btree_map *tree =
			inspect_object(inspection, map, TOID_TYPE_NUM(struct btree_map), sizeof(*tree), "btree: map");

	if (!TOID_IS_NULL(tree->root))
		walk_node(&walk, tree->root.oid, 0);
}
