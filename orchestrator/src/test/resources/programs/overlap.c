/*
 * Mistakes that hide one another: while recovery fails because of one, it fails because of another, too.
 * Compiled with -DUNROLLED, each round has code of its own, as compilers unroll loops.
 * "overlap run correct|mistaken DIR", "overlap check correct|mistaken DIR".
 */
#include "program.h"
#include <string.h>

enum { ROUNDS = 5 };

struct line {
	uint64_t value;
	uint64_t padding[7];
};

struct pool {
	struct line count, data[ROUNDS], total;
	struct line is_named, name, copy;
	struct line is_full, content;
	struct line old, new, put, is_put;
};

static struct pool *pool;
static int mistaken;

/* It is never more than the count, so it has to come last. */
static void sum(uint64_t total)
{
	pool->total.value = total;
	persist(&pool->total);
}

/* The total comes too early. While recovery fails for that, a value is not flushed. */
static void append(uint64_t value)
{
	if (mistaken)
		sum(value);
	pool->data[value - 1].value = value;
	if (!mistaken)
		persist(&pool->data[value - 1]);
	pool->count.value++;
	persist(&pool->count);
	if (!mistaken)
		sum(value);
}

/* The copy is flushed after the flag that promises it. */
static void rename_to(uint64_t name)
{
	pool->is_named.value = 0;
	persist(&pool->is_named);
	pool->name.value = name;
	persist(&pool->name);
	pool->copy.value = name;
	if (!mistaken)
		persist(&pool->copy);
	pool->is_named.value = 1;
	persist(&pool->is_named);
	persist(&pool->copy);
}

/* The flag comes too early, and what it promises is not flushed. The next mistake follows at once. */
static void fill(uint64_t content)
{
	pool->is_full.value = 0;
	persist(&pool->is_full);
	pool->content.value = 0;
	persist(&pool->content);
	if (mistaken) {
		pool->is_full.value = 1;
		persist(&pool->is_full);
	}
	pool->content.value = content;
	if (!mistaken) {
		persist(&pool->content);
		pool->is_full.value = 1;
		persist(&pool->is_full);
	}
}

static void fence(void)
{
	__asm__ volatile("sfence" : : : "memory");
}

/* There is no fence. */
static __attribute__((noinline)) void put(struct line *to, uint64_t value)
{
	to->value = value;
	__asm__ volatile("clwb (%0)" : : "r"(to) : "memory");
	if (!mistaken)
		fence();
}

/* What is moved is gone before it is there. While recovery fails for that, a fence is missing, as elsewhere. */
static void move(uint64_t value)
{
	pool->is_put.value = 0;
	persist(&pool->is_put);
	put(&pool->put, value);
	pool->is_put.value = value;
	persist(&pool->is_put);
	pool->old.value = value;
	persist(&pool->old);
	pool->new.value = 0;
	persist(&pool->new);
	if (mistaken) {
		pool->old.value = 0;
		persist(&pool->old);
	}
	put(&pool->new, value);
	fence();
	pool->old.value = 0;
	persist(&pool->old);
}

static int check(void)
{
	if (pool->total.value > pool->count.value)
		return 3;
	for (uint64_t i = 0; i < pool->count.value; i++)
		if (pool->data[i].value != i + 1)
			return 4;
	if (pool->is_named.value && pool->name.value != pool->copy.value)
		return 5;
	if (pool->is_put.value && pool->put.value != pool->is_put.value)
		return 7;
	if (pool->count.value > 1 && pool->old.value == 0 && pool->new.value == 0)
		return 8;
	return pool->is_full.value && pool->content.value == 0 ? 6 : 0;
}

static inline __attribute__((always_inline)) void in_round(uint64_t round)
{
	append(round);
	rename_to(round);
	move(round);
	fill(round);
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	mistaken = strcmp(argv[2], "mistaken") == 0;
	pool = (struct pool *)map_lines(argv[3], "pool", sizeof *pool / LINE);
	if (strcmp(argv[1], "check") == 0)
		return check();
#ifdef UNROLLED
	in_round(1);
	in_round(2);
	in_round(3);
	in_round(4);
	in_round(5);
#else
	for (uint64_t round = 1; round <= ROUNDS; round++)
		in_round(round);
#endif
	return 0;
}
