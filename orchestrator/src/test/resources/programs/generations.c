/* SPDX-License-Identifier: Apache-2.0 */
/*
 * generations run|check HABIT DIRECTORY
 *
 * Pages of three kinds, which a commit synchronises before it stores the number of the generation:
 *
 *   first    the number is stored and synchronised before all of them
 *   leaf     one kind of page is never synchronised
 *   both     both of that
 *   correct  no mistake
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, GENERATIONS = 4, KINDS = 3, VALUES = 3 };

union page {
	uint64_t values[VALUES];
	char bytes[PAGE];
};

static struct {
	union page number;
	union page pages[GENERATIONS + 1][KINDS];
} * pool;

static int is_first, is_leaf;

static void need(int holds, const char *what)
{
	if (!holds) {
		printf("%s\n", what);
		exit(1);
	}
}

static void synchronise(union page *page)
{
	need(msync(page, PAGE, MS_SYNC) == 0, "cannot synchronise");
}

__attribute__((noinline)) static void write_leaf(uint64_t generation)
{
	union page *page = &pool->pages[generation][0];
	for (uint64_t i = 0; i < VALUES; i++)
		page->values[i] = generation * 10 + i;
}

__attribute__((noinline)) static void write_branch(uint64_t generation)
{
	union page *page = &pool->pages[generation][1];
	for (uint64_t i = 0; i < VALUES; i++)
		page->values[VALUES - 1 - i] = generation * 20 + VALUES - 1 - i;
}

__attribute__((noinline)) static void write_root(uint64_t generation)
{
	union page *page = &pool->pages[generation][2];
	page->values[0] = generation * 30;
	page->values[1] = page->values[0] + 1;
	page->values[2] = page->values[1] + 1;
}

__attribute__((noinline)) static void commit(uint64_t generation)
{
	if (is_first) {
		pool->number.values[0] = generation;
		synchronise(&pool->number);
	}
	for (int kind = is_leaf ? 1 : 0; kind < KINDS; kind++)
		synchronise(&pool->pages[generation][kind]);
	if (!is_first) {
		pool->number.values[0] = generation;
		synchronise(&pool->number);
	}
}

static void check(void)
{
	static const char *const lost[] = {"a leaf is lost", "a branch is lost", "a root is lost"};
	uint64_t generation = pool->number.values[0];
	for (uint64_t kind = 0; kind < KINDS && generation > 0; kind++)
		for (uint64_t i = 0; i < VALUES; i++)
			need(pool->pages[generation][kind].values[i] == generation * 10 * (kind + 1) + i, lost[kind]);
}

int main(int argc, char **argv)
{
	need(argc == 4 && chdir(argv[3]) == 0, "usage: generations run|check HABIT DIRECTORY");
	is_first = strcmp(argv[2], "first") == 0 || strcmp(argv[2], "both") == 0;
	is_leaf = strcmp(argv[2], "leaf") == 0 || strcmp(argv[2], "both") == 0;
	int file = open("pool", O_RDWR | O_CREAT, 0600);
	need(file >= 0 && ftruncate(file, sizeof *pool) == 0, "cannot make the file");
	pool = mmap(NULL, sizeof *pool, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	need(pool != MAP_FAILED, "cannot map the file");
	if (strcmp(argv[1], "check") == 0) {
		check();
		return 0;
	}
	for (uint64_t generation = 1; generation <= GENERATIONS; generation++) {
		write_leaf(generation);
		write_branch(generation);
		write_root(generation);
		commit(generation);
	}
	return 0;
}
