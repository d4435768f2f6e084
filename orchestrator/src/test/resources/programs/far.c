/* SPDX-License-Identifier: Apache-2.0 */
/*
 * far run|check DIRECTORY: two halves that should change together. Recovery succeeds right behind both, but no
 * occurrence of a failure point is judged there: the next one that is comes many stores later.
 */
#include "program.h"
#include <string.h>

enum { ROUNDS = 4, OTHERS = 40 };

struct line {
	uint64_t value;
	uint64_t padding[7];
};

static struct pool {
	struct line half[2], others[OTHERS];
} * pool;

__attribute__((noinline)) static void set_lines(struct line *lines, int number, uint64_t value)
{
	for (int k = 0; k < number; k++) {
		lines[k].value = value;
		__asm__ volatile("clwb (%0)" : : "r"(&lines[k]) : "memory");
	}
}

__attribute__((noinline)) static void set_others(uint64_t value)
{
	for (int k = 0; k < OTHERS; k++)
		pool->others[k].value = value;
	persist(&pool->others[0]);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	pool = (struct pool *)map_lines(argv[2], "pool", sizeof *pool / LINE);
	if (strcmp(argv[1], "check") == 0)
		return pool->half[0].value == pool->half[1].value ? 0 : 3;
	for (uint64_t round = 1; round <= ROUNDS; round++) {
		set_others(round);
		set_lines(pool->half, argc - 1, round);
	}
	return 0;
}
