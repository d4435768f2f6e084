/*
 * Numbers that change together, with an undo log:
 *   undo run PMDIR
 *   undo mount PMDIR            says whether there is something to undo
 *   undo recover HABIT PMDIR    puts the old numbers back, then forgets them. HABIT: correct; hasty (forgets first);
 *                               early (forgets after the second number); endless (correct, but under the recorder it never
 *                               ends); refusing (correct, but fails under the recorder); forgetful (does not persist
 *                               the numbers it puts back); careless (persists
 *                               nothing, and leaves no later flush or fence either); excused
 *                               (forgetful, and says that the numbers do not matter); stepwise (counts down as it puts
 *                               back), third (the same, but counts before it puts the third number back)
 *   undo check PMDIR            all numbers are equal, and there is nothing to undo
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../../../../include/powercut.h"

#define NUMBERS 4
#define ROUNDS 2

struct cell {
	uint64_t value;
	uint8_t rest[64 - sizeof(uint64_t)];
};

struct pool {
	struct cell undo; /* how many numbers are to be put back */
	struct cell old;
	struct cell numbers[NUMBERS];
};

static struct pool *map(const char *directory)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/numbers", directory);
	int descriptor = open(path, O_RDWR | O_CREAT, 0644);
	if (descriptor < 0 || ftruncate(descriptor, sizeof(struct pool)) != 0) {
		perror(path);
		exit(2);
	}
	void *start = mmap(NULL, sizeof(struct pool), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
	if (start == MAP_FAILED) {
		perror(path);
		exit(2);
	}
	close(descriptor);
	return start;
}

__attribute__((noinline)) static void set(struct cell *cell, uint64_t value)
{
	cell->value = value;
	__asm__ volatile("clwb (%0)\n\tsfence" : : "r"(cell) : "memory");
}

__attribute__((noinline)) static void run(struct pool *pool)
{
	for (uint64_t round = 1; round <= ROUNDS; round++) {
		set(&pool->old, round - 1);
		for (int i = 0; i < NUMBERS; i++) {
			set(&pool->undo, (uint64_t)i + 1);
			set(&pool->numbers[i], round);
		}
		set(&pool->undo, 0);
	}
}

__attribute__((noinline)) static void forget(struct pool *pool)
{
	set(&pool->undo, 0);
}

__attribute__((noinline)) static void put_back(struct pool *pool, uint64_t from, uint64_t to)
{
	for (uint64_t i = from; i < to; i++)
		set(&pool->numbers[i], pool->old.value);
}

__attribute__((noinline)) static void put_back_in_cache(struct pool *pool, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		((volatile struct cell *)&pool->numbers[i])->value = pool->old.value;
}

__attribute__((noinline)) static void put_back_stepwise(struct pool *pool, uint64_t count, int is_third_early)
{
	for (uint64_t done = 0; done < count; done++) {
		struct cell *cells[] = {&pool->numbers[count - 1 - done], &pool->undo};
		uint64_t values[] = {pool->old.value, count - 1 - done};
		int first = is_third_early && done == 2;
		set(cells[first], values[first]);
		set(cells[1 - first], values[1 - first]);
	}
}

static uint64_t kept(const char *habit, uint64_t count)
{
	if (strcmp(habit, "hasty") == 0)
		return 0;
	return strcmp(habit, "early") == 0 && count > 2 ? 2 : count;
}

__attribute__((noinline)) static void recover(struct pool *pool, const char *habit)
{
	uint64_t count = pool->undo.value;
	int is_recorded = getenv("VALGRIND_LIB") != NULL;
	if (count == 0)
		return;
	if (strcmp(habit, "stepwise") == 0 || strcmp(habit, "third") == 0) {
		put_back_stepwise(pool, count, strcmp(habit, "third") == 0);
		return;
	}
	if (strcmp(habit, "excused") == 0)
		powercut_ignore(pool->numbers, sizeof pool->numbers);
	if (strcmp(habit, "forgetful") == 0 || strcmp(habit, "careless") == 0 || strcmp(habit, "excused") == 0) {
		put_back_in_cache(pool, count);
		if (strcmp(habit, "careless") == 0)
			((volatile struct cell *)&pool->undo)->value = 0;
		else
			forget(pool);
		_exit(0);
	}
	put_back(pool, 0, kept(habit, count));
	forget(pool);
	put_back(pool, kept(habit, count), count);
	while (is_recorded && strcmp(habit, "endless") == 0)
		usleep(1000);
	if (is_recorded && strcmp(habit, "refusing") == 0)
		exit(9);
}

static int check(struct pool *pool)
{
	for (int i = 0; i < NUMBERS; i++) {
		if (pool->numbers[i].value != pool->numbers[0].value || pool->undo.value != 0) {
			printf("the numbers differ\n");
			return 1;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	struct pool *pool = map(argv[argc - 1]);
	if (strcmp(argv[1], "run") == 0)
		run(pool);
	else if (strcmp(argv[1], "mount") == 0)
		printf("%s\n", pool->undo.value != 0 ? "dirty" : "clean");
	else if (strcmp(argv[1], "recover") == 0)
		recover(pool, argv[2]);
	else
		return check(pool);
	return 0;
}
