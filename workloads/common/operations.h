/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The seeded sequence of operations that every driver here performs, and the contents that a correct map has
 * after any number of them. Operation number i depends on nothing but the seed, so a checker can work out the
 * expected contents after a crash from two numbers in the pool: the seed and how many operations had completed.
 */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include <stdbool.h>
#include <stdint.h>

enum operation_kind { OPERATION_PUT, OPERATION_GET, OPERATION_DELETE };

struct operation {
	enum operation_kind kind;
	uint64_t index; /* which key, below sequence.keys */
	uint64_t key; /* key_of(index) */
};

struct sequence {
	uint64_t seed;
	uint64_t keys; /* number of different keys, at least 1 */
	uint64_t puts_first; /* so many puts, then gets and deletes in turn; 0: thirds throughout */
};

/* Scatters the bits of a number; a bijection (SplitMix64's finalizer, Steele et al., OOPSLA 2014). */
uint64_t scatter(uint64_t number);

/*
 * The key with this index: even ones are small and dense, odd ones are spread over the upper half of all 64-bit
 * numbers. Never 0, which PMDK's btree and ctree take for an empty slot.
 */
uint64_t key_of(uint64_t index);

/* The operation with this number (from 0). Every three successive ones are a put, a get and a delete in some order. */
struct operation operation_at(const struct sequence *sequence, uint64_t number);

/* The number of keys that suits so many operations when the user does not say. */
uint64_t default_keys(uint64_t operations);

/*
 * The expected contents: for each key index the number of the put that wrote it plus one, or 0 if the key is absent.
 * That number is the value's version.
 */
struct contents {
	uint64_t keys;
	uint64_t *version;
};

/* The contents after the first `completed` operations. The caller frees contents.version. */
struct contents contents_after(const struct sequence *sequence, uint64_t completed);
void contents_apply(struct contents *contents, const struct operation *operation, uint64_t number);

/* Applies the operations from number `from` to the one before `to`. */
void contents_continue(struct contents *contents, const struct sequence *sequence, uint64_t from, uint64_t to);

#endif
