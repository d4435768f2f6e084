/*
 * Mistakes for which it takes care to give the right advice.
 * "advice run correct|mistaken DIR", "advice check correct|mistaken DIR".
 */
#include "program.h"
#include <emmintrin.h>
#include <string.h>

enum { ROUNDS = 6 };

struct slot {
	uint64_t key, value, padding[6];
	uint64_t token, more[7];
};

struct entry {
	uint64_t left, right, padding[6];
};

struct pair {
	uint64_t key, pointer;
};

struct record {
	_Alignas(LINE) uint64_t data;
	_Alignas(LINE) uint64_t valid;
};

struct triple {
	_Alignas(LINE) uint64_t low;
	uint64_t high, number;
};

struct bucket {
	_Alignas(LINE) uint64_t token;
	uint64_t data[7];
};

struct pool {
	_Alignas(LINE) uint64_t done;
	struct slot slots[ROUNDS];
	struct entry entries[ROUNDS];
	_Alignas(LINE) struct pair shifted[4];
	struct record records[ROUNDS];
	struct triple triple;
	struct bucket bucket;
};

static struct pool *pool;
static int mistaken;

/* Both stores go before the token, in any order: a flush of their line is missing. */
static void insert(volatile struct slot *slot, uint64_t key)
{
	slot->key = key;
	slot->value = 7 * key;
	if (!mistaken)
		persist((const void *)slot);
	slot->token = 1;
	persist((const void *)&slot->token);
}

/* One flush of the entry is missing. */
static void split(volatile struct entry *entry)
{
	entry->right = 1;
	entry->left = 1;
	if (!mistaken)
		persist((const void *)entry);
}

/* A pair counts unless its pointer is that of the pair before it: so its key has to come last. */
static void shift(volatile struct pair *pairs, int number, uint64_t key)
{
	for (int i = number - 1; i >= 0; i--) {
		uint64_t moved = pairs[i].key;
		if (mistaken)
			pairs[i + 1].key = moved;
		pairs[i + 1].pointer = pairs[i].pointer;
		if (!mistaken)
			pairs[i + 1].key = moved;
	}
	pairs[0].pointer = 0;
	pairs[0].key = key;
	pairs[0].pointer = 100 * key;
	persist((const void *)pairs);
}

/* The flag comes before what it promises. */
static void announce(volatile struct record *record)
{
	if (!mistaken) {
		record->data = 1;
		persist((const void *)&record->data);
	}
	record->valid = 1;
	record->data = 1;
	persist((const void *)&record->data);
	persist((const void *)&record->valid);
}

/* Two of its words are stored at once, the third one is not; a correct program leaves it at one of them. */
static void renumber(volatile struct triple *triple, uint64_t number)
{
	if (mistaken) {
		triple->number = number;
		_mm_store_si128((__m128i *)&triple->low, _mm_set1_epi64x((long long)number));
	}
	persist((const void *)triple);
}

/* A bit moves from one place to another, and is nowhere in between. Many stores to the line came before. */
static void move(volatile struct bucket *bucket)
{
	for (int round = 1; round < 3; round++)
		for (int i = 0; i < 7; i++)
			bucket->data[i] = (uint64_t)(10 * round + i);
	if (mistaken) {
		bucket->token &= ~1UL;
		bucket->token |= 2;
	} else {
		bucket->token = 2;
	}
	persist((const void *)bucket);
}

static int is_lost(volatile struct pair *pairs, uint64_t key)
{
	for (int i = 0; i < 4; i++)
		if (pairs[i].key == key && pairs[i].pointer != (i > 0 ? pairs[i - 1].pointer : 0))
			return pairs[i].pointer != 100 * key;
	return 1;
}

static int check(void)
{
	for (uint64_t i = 0; i < pool->done; i++)
		if (i % 2 != 0 ? !pool->entries[i].left : !pool->entries[i].right)
			return 4;
	for (uint64_t i = 0; i < ROUNDS; i++) {
		struct slot *slot = &pool->slots[i];
		int is_there = slot->token && slot->key == i + 1;
		if (is_there ? slot->value != 7 * (i + 1) : i < pool->done)
			return 3;
		if (pool->records[i].valid && !pool->records[i].data)
			return 6;
	}
	for (uint64_t i = 0; i < pool->done && i < 4; i++)
		if (is_lost(pool->shifted, 4 - i))
			return 5;
	if (pool->triple.low != pool->triple.number || pool->triple.high != pool->triple.number)
		return 7;
	return pool->done > 0 && pool->bucket.token == 0 ? 8 : 0;
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	mistaken = strcmp(argv[2], "mistaken") == 0;
	pool = (struct pool *)map_lines(argv[3], "pool", sizeof *pool / LINE);
	if (strcmp(argv[1], "check") == 0)
		return check();
	pool->bucket.token = 1;
	persist(&pool->bucket);
	for (int round = 0; round < ROUNDS; round++) {
		insert(&pool->slots[round], (uint64_t)round + 1);
		split(&pool->entries[round]);
		if (round < 4)
			shift(pool->shifted, round, (uint64_t)(4 - round));
		announce(&pool->records[round]);
		pool->done = (uint64_t)round + 1;
		persist(&pool->done);
	}
	renumber(&pool->triple, 5);
	move(&pool->bucket);
	return 0;
}
