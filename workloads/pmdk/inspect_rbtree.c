/* SPDX-License-Identifier: Apache-2.0 */
/* PMDK's red-black tree, compiled here so that the layout of its nodes is known, and its inspector. */
#include <rbtree_map.c>

#include "inspect.h"

struct walk {
	struct inspection *inspection;
	PMEMoid sentinel;
	uint64_t last_key; /* 0 until the first key */
};

/* Checks a subtree in key order; returns its black height. */
static int walk_node(struct walk *walk, PMEMoid oid, PMEMoid parent, bool below_red)
{
	const struct tree_map_node *node;
	int left, right;

	if (OID_EQUALS(oid, walk->sentinel))
		return 1;
	node = inspect_object(walk->inspection, oid, TOID_TYPE_NUM(struct tree_map_node), sizeof(*node), "rbtree: child");
	if (node->color != COLOR_BLACK && node->color != COLOR_RED)
		inconsistent("rbtree: key %#lx has colour %d", node->key, (int)node->color);
	if (!OID_EQUALS(node->parent.oid, parent))
		inconsistent("rbtree: key %#lx has the wrong parent", node->key);
	if (below_red && node->color == COLOR_RED)
		inconsistent("rbtree: red key %#lx has a red parent", node->key);
	left = walk_node(walk, node->slots[RB_LEFT].oid, oid, node->color == COLOR_RED);
	if (node->key <= walk->last_key)
		inconsistent("rbtree: key %#lx comes after key %#lx", node->key, walk->last_key);
	walk->last_key = node->key;
	inspect_entry(walk->inspection, node->key, node->value);
	right = walk_node(walk, node->slots[RB_RIGHT].oid, oid, node->color == COLOR_RED);
	if (left != right)
		inconsistent("rbtree: black heights %d and %d below key %#lx", left, right, node->key);
	return left + (node->color == COLOR_BLACK);
}

void inspect_rbtree(struct inspection *inspection, PMEMoid map)
{
	struct walk walk = {inspection, OID_NULL, 0};
	const struct rbtree_map *tree =
			inspect_object(inspection, map, TOID_TYPE_NUM(struct rbtree_map), sizeof(*tree), "rbtree: map");
	const struct tree_map_node *sentinel, *root;

	walk.sentinel = tree->sentinel.oid;
	sentinel = inspect_shared(inspection, walk.sentinel, TOID_TYPE_NUM(struct tree_map_node), sizeof(*sentinel),
			"rbtree: sentinel");
	if (sentinel->color != COLOR_BLACK)
		inconsistent("rbtree: the sentinel is not black");
	root = inspect_object(inspection, tree->root.oid, TOID_TYPE_NUM(struct tree_map_node), sizeof(*root),
			"rbtree: root");
	if (root->color != COLOR_BLACK || !OID_EQUALS(root->slots[RB_RIGHT].oid, walk.sentinel))
		inconsistent("rbtree: the root is not black, or has a right child");
	walk_node(&walk, root->slots[RB_LEFT].oid, tree->root.oid, true);
}
