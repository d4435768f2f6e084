/* SPDX-License-Identifier: Apache-2.0 */
#include "maps.h"

#include <string.h>

#include "map_btree.h"
#include "map_ctree.h"
#include "map_hashmap_atomic.h"
#include "map_hashmap_rp.h"
#include "map_hashmap_tx.h"
#include "map_rbtree.h"
#include "map_rtree.h"
#include "map_skiplist.h"

static const struct tested_map maps[] = {
		{"btree", MAP_BTREE, inspect_btree, REPLACED_BY_REMOVE, true, true},
		{"ctree", MAP_CTREE, inspect_ctree, REPLACED_BY_INSERT, true, true},
		{"rbtree", MAP_RBTREE, inspect_rbtree, REPLACED_BY_REMOVE, true, true},
		{"rtree", MAP_RTREE, inspect_rtree, REPLACED_BY_INSERT, true, false},
		{"hashmap_atomic", MAP_HASHMAP_ATOMIC, inspect_hashmap_atomic, REPLACED_IN_PLACE, false, true},
		{"hashmap_tx", MAP_HASHMAP_TX, inspect_hashmap_tx, REPLACED_BY_REMOVE, true, true},
		{"hashmap_rp", MAP_HASHMAP_RP, inspect_hashmap_rp, REPLACED_BY_INSERT, false, true},
		{"skiplist", MAP_SKIPLIST, inspect_skiplist, REPLACED_BY_REMOVE, true, true},
};

const struct tested_map *find_map(const char *name)
{
	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
		if (strcmp(maps[i].name, name) == 0)
			return &maps[i];
	return NULL;
}

const char *map_names(void)
{
	return "btree|ctree|rbtree|rtree|hashmap_atomic|hashmap_tx|hashmap_rp|skiplist";
}
