/*
 * A pair of numbers that change together, by an undo log, and a counter of calls that no recovery resets. Both are dumped.
 *   hits set-up PMDIR              all is 0
 *   hits run SAYS PMDIR            SAYS of the counter by powercut.h: ignore, transient, nothing. Acknowledges each change that
 *                                  is done
 *   hits recover HABIT PMDIR       HABIT: correct; halves (takes back half of the change under way)
 *   hits dump PMDIR
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../../../../include/powercut.h"

#define LINE 64
#define CHANGES 4
#define PERSIST(p) __asm__ volatile("clwb (%0)\n\tsfence" : : "r"(p) : "memory")

struct pool {
	_Alignas(LINE) uint64_t busy;
	_Alignas(LINE) uint64_t left_before, right_before;
	_Alignas(LINE) uint64_t left;
	uint64_t hits;
	_Alignas(LINE) uint64_t right;
};

static volatile struct pool *map(const char *directory)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/pool", directory);
	int descriptor = open(path, O_RDWR | O_CREAT, 0644);
	void *start = descriptor < 0 || ftruncate(descriptor, sizeof(struct pool)) != 0
			? MAP_FAILED
			: mmap(NULL, sizeof(struct pool), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
	if (start == MAP_FAILED) {
		perror(path);
		exit(2);
	}
	close(descriptor);
	return start;
}

static void set(volatile struct pool *pool, volatile uint64_t *word, uint64_t value)
{
	pool->hits++;
	PERSIST(&pool->hits);
	*word = value;
	PERSIST(word);
}

static void change(volatile struct pool *pool, uint64_t number)
{
	pool->left_before = pool->left;
	pool->right_before = pool->right;
	PERSIST(&pool->left_before);
	set(pool, &pool->busy, 1);
	set(pool, &pool->left, number);
	set(pool, &pool->right, 100 * number);
	set(pool, &pool->busy, 0);
}

static int run(const char *says, volatile struct pool *pool)
{
	if (strcmp(says, "ignore") == 0)
		powercut_ignore(&pool->hits, sizeof pool->hits);
	if (strcmp(says, "transient") == 0)
		powercut_transient(&pool->hits, sizeof pool->hits);
	for (uint64_t number = 1; number <= CHANGES; number++) {
		change(pool, number);
		powercut_acknowledge("changed");
	}
	return 0;
}

static int recover(const char *habit, volatile struct pool *pool)
{
	if (pool->busy) {
		pool->left = pool->left_before;
		if (strcmp(habit, "halves") != 0)
			pool->right = pool->right_before;
		pool->busy = 0;
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	volatile struct pool *pool = map(argv[argc - 1]);
	if (strcmp(argv[1], "run") == 0)
		return run(argv[2], pool);
	if (strcmp(argv[1], "recover") == 0)
		return recover(argv[2], pool);
	if (strcmp(argv[1], "dump") == 0)
		printf("%lu %lu\nhits %lu\n", (unsigned long)pool->left, (unsigned long)pool->right, (unsigned long)pool->hits);
	return 0;
}
