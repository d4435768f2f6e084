/* SPDX-License-Identifier: Apache-2.0 */
#include "operations.h"

#include <stdio.h>
#include <stdlib.h>

enum { SMALLEST_DEFAULT_KEYS = 32, LARGEST_DEFAULT_KEYS = 10000 };

uint64_t scatter(uint64_t number)
{
	number += 0x9e3779b97f4a7c15ULL;
	number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9ULL;
	number = (number ^ (number >> 27)) * 0x94d049bb133111ebULL;
	return number ^ (number >> 31);
}

uint64_t key_of(uint64_t index)
{
	return index % 2 == 0 ? index / 2 + 1 : scatter(index) | 1ULL << 63;
}

static enum operation_kind kind_of_thirds(uint64_t seed, uint64_t number)
{
	static const enum operation_kind orders[6][3] = {
			{OPERATION_PUT, OPERATION_GET, OPERATION_DELETE},
			{OPERATION_PUT, OPERATION_DELETE, OPERATION_GET},
			{OPERATION_GET, OPERATION_PUT, OPERATION_DELETE},
			{OPERATION_GET, OPERATION_DELETE, OPERATION_PUT},
			{OPERATION_DELETE, OPERATION_PUT, OPERATION_GET},
			{OPERATION_DELETE, OPERATION_GET, OPERATION_PUT},
	};

	return orders[scatter(seed ^ scatter(number / 3)) % 6][number % 3];
}

static enum operation_kind kind_of_halves(uint64_t seed, uint64_t number)
{
	uint64_t order = scatter(seed ^ scatter(number / 2)) & 1;

	return (number & 1) == order ? OPERATION_GET : OPERATION_DELETE;
}

struct operation operation_at(const struct sequence *sequence, uint64_t number)
{
	struct operation operation;

	if (sequence->puts_first == 0)
		operation.kind = kind_of_thirds(sequence->seed, number);
	else if (number < sequence->puts_first)
		operation.kind = OPERATION_PUT;
	else
		operation.kind = kind_of_halves(sequence->seed, number);
	operation.index = scatter(scatter(sequence->seed) + number) % sequence->keys;
	operation.key = key_of(operation.index);
	return operation;
}

uint64_t default_keys(uint64_t operations)
{
	uint64_t keys = operations / 3;

	if (keys < SMALLEST_DEFAULT_KEYS)
		return SMALLEST_DEFAULT_KEYS;
	return keys > LARGEST_DEFAULT_KEYS ? LARGEST_DEFAULT_KEYS : keys;
}

void contents_apply(struct contents *contents, const struct operation *operation, uint64_t number)
{
	if (operation->kind == OPERATION_PUT)
		contents->version[operation->index] = number + 1;
	else if (operation->kind == OPERATION_DELETE)
		contents->version[operation->index] = 0;
}

struct contents contents_after(const struct sequence *sequence, uint64_t completed)
{
	struct contents contents = {sequence->keys, calloc(sequence->keys, sizeof(uint64_t))};

	if (contents.version == NULL) {
		fprintf(stderr, "out of memory for %lu keys\n", (unsigned long)sequence->keys);
		exit(3);
	}
	contents_continue(&contents, sequence, 0, completed);
	return contents;
}

void contents_continue(struct contents *contents, const struct sequence *sequence, uint64_t from, uint64_t to)
{
	for (uint64_t number = from; number < to; number++) {
		struct operation operation = operation_at(sequence, number);

		contents_apply(contents, &operation, number);
	}
}
