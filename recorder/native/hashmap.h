/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A map from 64-bit keys to 32-bit values; key 0 is not allowed. */
#ifndef RECORDER_HASHMAP_H
#define RECORDER_HASHMAP_H

#include "pub_tool_basics.h"

typedef struct {
	ULong *keys;
	UInt *values;
	SizeT capacity;
	SizeT count;
} HashMap;
#define HASHMAP_ABSENT 0xffffffffU
/* 2^64 divided by the golden ratio: multiplying by it spreads the bits of a key. */
#define HASH_MULTIPLIER 0x9E3779B97F4A7C15ULL

UInt pc_map_get(const HashMap *map, ULong key);
void pc_map_put(HashMap *map, ULong key, UInt value);
void pc_map_clear(HashMap *map);

#endif
