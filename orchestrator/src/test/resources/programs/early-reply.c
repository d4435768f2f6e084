/*
 * A table that says what it did, sometimes before it did it:
 *   early-reply run MASK PMDIR     MASK: 1 = a put is told first of all; 2 = a removal is told first of all;
 *                                  4 = a put is told before it is counted
 *   early-reply check PMDIR ACKNOWLEDGED
 */
#include <string.h>

#include "program.h"

enum { SLOTS = 8, PUT_FIRST = 1, REMOVED_FIRST = 2, PUT_BEFORE_COUNT = 4 };

struct slot {
	_Alignas(64) uint64_t key;
	uint64_t value;
	_Alignas(64) uint64_t valid;
};

struct pool {
	_Alignas(64) uint64_t puts;
	_Alignas(64) uint64_t removals;
	_Alignas(64) uint64_t last;
	struct slot slots[SLOTS];
};

static unsigned mask;

static struct pool *map(const char *directory)
{
	return (struct pool *)map_lines(directory, "pool", sizeof(struct pool) / LINE);
}

__attribute__((noinline)) static void tell(const char *what, uint64_t key)
{
	char line[32];
	int length = snprintf(line, sizeof line, "%s %lu\n", what, (unsigned long)key);
	if (write(1, line, (size_t)length) != length)
		fail("write");
}

__attribute__((noinline)) static void put(struct pool *pool, uint64_t key)
{
	struct slot *slot = &pool->slots[key % SLOTS];
	if (mask & PUT_FIRST)
		tell("put", key);
	slot->key = key;
	slot->value = 10 * key;
	persist(slot);
	slot->valid = 1;
	persist(&slot->valid);
	if (!(mask & PUT_FIRST) && mask & PUT_BEFORE_COUNT)
		tell("put", key);
	pool->puts++;
	persist(&pool->puts);
	if (!(mask & (PUT_FIRST | PUT_BEFORE_COUNT)))
		tell("put", key);
}

__attribute__((noinline)) static void take(struct pool *pool, uint64_t key)
{
	struct slot *slot = &pool->slots[key % SLOTS];
	if (mask & REMOVED_FIRST)
		tell("removed", key);
	pool->last = key;
	persist(&pool->last);
	slot->valid = 0;
	persist(&slot->valid);
	pool->removals++;
	persist(&pool->removals);
	if (!(mask & REMOVED_FIRST))
		tell("removed", key);
}

static int run(struct pool *pool)
{
	for (uint64_t key = 1; key <= 4; key++) {
		put(pool, key);
		if (key > 1)
			take(pool, key - 1);
	}
	return 0;
}

/* What was told is there, in the counters and in the slots. */
static int check(struct pool *pool, const char *told)
{
	FILE *file = fopen(told, "r");
	char what[16];
	unsigned long key;
	uint64_t puts = 0, removals = 0;
	if (file == NULL)
		fail(told);
	while (fscanf(file, "%15s %lu", what, &key) == 2) {
		struct slot *slot = &pool->slots[key % SLOTS];
		if (strcmp(what, "put") == 0) {
			puts++;
			if (slot->key != key || slot->value != 10 * key)
				return fprintf(stderr, "key %lu was told and is lost\n", key), 1;
		} else {
			removals++;
			if (slot->valid)
				return fprintf(stderr, "key %lu was told to be removed and is there\n", key), 1;
		}
	}
	fclose(file);
	if (pool->puts < puts)
		return fprintf(stderr, "%lu puts were told, %lu are counted\n", (unsigned long)puts, (unsigned long)pool->puts),
			   1;
	if (pool->removals < removals)
		return fprintf(stderr, "a removal was told and is not counted\n"), 1;
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 4)
		return 2;
	if (strcmp(argv[1], "check") == 0)
		return check(map(argv[2]), argv[3]);
	mask = (unsigned)atoi(argv[2]);
	return run(map(argv[3]));
}
