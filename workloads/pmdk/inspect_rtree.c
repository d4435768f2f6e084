/* SPDX-License-Identifier: Apache-2.0 */
/* PMDK's radix tree, compiled here so that the layout of its nodes is known, and its inspector. */
#include <string.h>

#include <rtree_map.c>

#include "inspect.h"

struct path {
	unsigned char bytes[sizeof(uint64_t)];
	size_t length;
};

static void walk_node(struct inspection *inspection, PMEMoid oid, struct path path, int first_byte)
{
	const struct tree_map_node *node =
			inspect_object(inspection, oid, TOID_TYPE_NUM(struct tree_map_node), sizeof(*node), "rtree: child");
	size_t children = 0;

	if (node->key_size > sizeof(path.bytes) - path.length)
		inconsistent("rtree: a node at depth %zu has a label of %lu bytes", path.length, node->key_size);
	if (first_byte >= 0 && (node->key_size == 0 || node->key[0] != first_byte))
		inconsistent("rtree: the label of the child in slot %#x does not begin with that byte", (unsigned)first_byte);
	memcpy(path.bytes + path.length, node->key, node->key_size);
	path.length += node->key_size;
	for (int byte = 0; byte < ALPHABET_SIZE; byte++)
		if (!TOID_IS_NULL(node->slots[byte])) {
			walk_node(inspection, node->slots[byte].oid, path, byte);
			children++;
		}
	if (node->has_value > 1)
		inconsistent("rtree: a node's has_value is %u", node->has_value);
	if (node->has_value) {
		uint64_t key;

		if (path.length != sizeof(key) || children != 0)
			inconsistent("rtree: a value at depth %zu with %zu children; all keys are 8 bytes long", path.length,
					children);
		memcpy(&key, path.bytes, sizeof(key));
		inspect_entry(inspection, key, node->value);
	} else if (path.length == sizeof(uint64_t)) {
		inconsistent("rtree: a node at full depth has no value");
	} else if (children < 2) {
		/* rtree_map_remove folds only where the parent of the removed leaf has one child left: counted. */
		inspection->odd_nodes++;
	}
}

void inspect_rtree(struct inspection *inspection, PMEMoid map)
{
	const struct rtree_map *tree =
			inspect_object(inspection, map, TOID_TYPE_NUM(struct rtree_map), sizeof(*tree), "rtree: map");

	if (!TOID_IS_NULL(tree->root))
		walk_node(inspection, tree->root.oid, (struct path){{0}, 0}, -1);
}
