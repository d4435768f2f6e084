/* SPDX-License-Identifier: Apache-2.0 */
/* The pool of PMDK's kv_server: making an empty one, and checking one that kv_client has filled. */
#ifndef KV_CHECK_H
#define KV_CHECK_H

#include "maps.h"
#include "operations.h"

enum { KV_KEY_SIZE = 32, KV_VALUE_SIZE = 64 };

/* The key with this index as kv_client sends it. */
void kv_key(char text[KV_KEY_SIZE], uint64_t index);

/* The value that the put with this number writes. */
void kv_value(char text[KV_VALUE_SIZE], uint64_t index, uint64_t number);

void create_kv_pool(const struct tested_map *tested, const char *path, uint64_t mebibytes);

/* Checks the map's structure, and that its contents are those after some number of operations of the sequence. */
void check_kv_pool(const struct tested_map *tested, const char *path, const struct sequence *sequence,
		uint64_t operations);

/* Prints a line "KEY VERSION" for each entry, in the order of the hashes of the keys. */
void dump_kv_pool(const struct tested_map *tested, const char *path);

#endif
