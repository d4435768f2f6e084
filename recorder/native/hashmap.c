/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A small open-addressing hash map; nothing is ever removed singly. */
#include "hashmap.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

static SizeT slot_of(const HashMap *map, ULong key)
{
	SizeT slot = ((key * HASH_MULTIPLIER) >> 20) & (map->capacity - 1);
	while (map->keys[slot] != 0 && map->keys[slot] != key)
		slot = (slot + 1) & (map->capacity - 1);
	return slot;
}

UInt pc_map_get(const HashMap *map, ULong key)
{
	if (map->capacity == 0)
		return HASHMAP_ABSENT;
	SizeT slot = slot_of(map, key);
	return map->keys[slot] == key ? map->values[slot] : HASHMAP_ABSENT;
}

static void grow(HashMap *map)
{
	HashMap old = *map;
	map->capacity = old.capacity == 0 ? 256 : old.capacity * 2;
	map->keys = VG_(calloc)("pc.map", map->capacity, sizeof(ULong));
	map->values = VG_(calloc)("pc.map", map->capacity, sizeof(UInt));
	for (SizeT i = 0; i < old.capacity; i++) {
		if (old.keys[i] == 0)
			continue;
		SizeT slot = slot_of(map, old.keys[i]);
		map->keys[slot] = old.keys[i];
		map->values[slot] = old.values[i];
	}
	if (old.capacity != 0) {
		VG_(free)(old.keys);
		VG_(free)(old.values);
	}
}

void pc_map_put(HashMap *map, ULong key, UInt value)
{
	tl_assert(key != 0);
	if (map->count * 2 >= map->capacity)
		grow(map);
	SizeT slot = slot_of(map, key);
	if (map->keys[slot] == 0) {
		map->keys[slot] = key;
		map->count++;
	}
	map->values[slot] = value;
}

void pc_map_clear(HashMap *map)
{
	if (map->capacity != 0)
		VG_(memset)(map->keys, 0, map->capacity * sizeof(ULong));
	map->count = 0;
}
