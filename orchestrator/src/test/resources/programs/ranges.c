/*
 * Says by powercut.h what becomes of ranges, and stores to them and beside them:
 *   ranges run CASE HABIT PMDIR         HABIT: correct, or mistake
 *   ranges check CASE PMDIR             what is valid must be complete
 * Compiled with -DPOWERCUT_DISABLE it says nothing, and does the same.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../../../include/powercut.h"

#define SIZE 8192
#define ALIGNED __attribute__((aligned(64)))
#define FLUSH(p) __asm__ volatile("clwb (%0)" : : "r"(p) : "memory")
#define FENCE() __asm__ volatile("sfence" : : : "memory")
#define PERSIST(p) \
	do { \
		FLUSH(p); \
		FENCE(); \
	} while (0)

/* Two of the words are data, all in one cache line. */
struct pool {
	struct {
		uint64_t hits;
		uint64_t lock;
		uint64_t value;
		uint64_t pair[2];
	} ALIGNED line;
	uint64_t valid ALIGNED;
	uint64_t newest ALIGNED;
	uint64_t scratch[16] ALIGNED;
};

static const char *directory;
static int mistake;

static volatile struct pool *map(void *at)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/pool", directory);
	int descriptor = open(path, O_RDWR | O_CREAT, 0644);
	void *start = descriptor < 0 || ftruncate(descriptor, SIZE) != 0
			? MAP_FAILED
			: mmap(at, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | (at == NULL ? 0 : MAP_FIXED), descriptor, 0);
	if (start == MAP_FAILED) {
		perror(path);
		exit(2);
	}
	close(descriptor);
	return start;
}

static void declare(volatile struct pool *pool)
{
	powercut_ignore(&pool->line.hits, sizeof pool->line.hits);
	powercut_transient(&pool->line.lock, sizeof pool->line.lock);
}

__attribute__((noinline)) static void work(volatile struct pool *pool)
{
	pool->line.lock = 1;
	pool->line.hits++;
	pool->line.hits++;
}

__attribute__((noinline)) static void store_value(volatile struct pool *pool)
{
	pool->line.value = 42;
}

__attribute__((noinline)) static void publish(volatile struct pool *pool)
{
	pool->valid = 1;
	PERSIST(&pool->valid);
}

/* What is ignored, what is transient and what is data share a line. */
static void beside(volatile struct pool *pool)
{
	declare(pool);
	work(pool);
	store_value(pool);
	work(pool);
	if (!mistake)
		PERSIST(&pool->line.value);
	publish(pool);
	work(pool);
}

/* Said behind the stores. */
static void late(volatile struct pool *pool)
{
	pool->line.lock = 0;
	pool->line.hits = 1;
	beside(pool);
}

/* It is the file's bytes that are ignored, wherever they are mapped, in whatever process. */
static void remapped(volatile struct pool *pool)
{
	declare(pool);
	munmap((void *)pool, SIZE);
	void *elsewhere = mmap(NULL, SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pool = map(elsewhere);
	work(pool);
	pid_t child = fork();
	if (child == 0) {
		work(pool);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	store_value(pool);
	if (!mistake)
		PERSIST(&pool->line.value);
	publish(pool);
	work(pool);
}

/* One store to bytes of both kinds. */
__attribute__((noinline)) static void store_pair(volatile struct pool *pool)
{
	typedef uint64_t pair_t __attribute__((vector_size(16), aligned(8)));
	pair_t both = {7, 42};
	*(volatile pair_t *)&pool->line.lock = both;
}

static void straddling(volatile struct pool *pool)
{
	powercut_ignore(&pool->line.lock, sizeof pool->line.lock);
	store_pair(pool);
	if (!mistake)
		PERSIST(&pool->line.value);
	publish(pool);
	pool->line.lock = 8;
}

/* Recovery must not need it. */
__attribute__((noinline)) static void store_newest(volatile struct pool *pool)
{
	pool->newest = 1;
}

static void transient(volatile struct pool *pool)
{
	powercut_transient(&pool->newest, sizeof pool->newest);
	store_value(pool);
	PERSIST(&pool->line.value);
	store_newest(pool);
	publish(pool);
	if (mistake) {
		pool->valid = 2;
		PERSIST(&pool->valid);
	}
}

/* Scratch memory that becomes a datum. */
static void reused(volatile struct pool *pool)
{
	powercut_ignore(pool->scratch, sizeof pool->scratch);
	for (int i = 0; i < 16; i++)
		pool->scratch[i] = (uint64_t)i;
	powercut_persistent(&pool->scratch[8], sizeof(uint64_t));
	pool->scratch[9] = 9;
	pool->scratch[8] = 42;
	if (!mistake)
		PERSIST(&pool->scratch[8]);
	publish(pool);
	pool->scratch[7] = 7;
}

/* Calls that do not nest, and one for what is not mapped. */
static void again(volatile struct pool *pool)
{
	powercut_ignore(&directory, sizeof directory);
	powercut_ignore((void *)16, SIZE_MAX);
	powercut_persistent(pool, SIZE);
	powercut_ignore(pool, 0);
	powercut_transient(&pool->line.hits, sizeof pool->line.hits);
	powercut_ignore(&pool->line.hits, sizeof pool->line.hits);
	powercut_transient(&pool->line.lock, sizeof pool->line.lock);
	powercut_transient(&pool->line.lock, sizeof pool->line.lock);
	work(pool);
	powercut_persistent(&pool->line.lock, sizeof pool->line.lock);
	powercut_transient(&pool->line.lock, sizeof pool->line.lock);
	store_value(pool);
	if (!mistake)
		PERSIST(&pool->line.value);
	publish(pool);
	work(pool);
}

static const struct {
	const char *name;
	void (*run)(volatile struct pool *pool);
} cases[] = {{"beside", beside}, {"late", late}, {"remapped", remapped}, {"straddling", straddling},
		{"transient", transient}, {"reused", reused}, {"again", again}};

static int check(const char *name, volatile struct pool *pool)
{
	uint64_t value = strcmp(name, "reused") == 0 ? pool->scratch[8] : pool->line.value;
	if (pool->valid == 0 || (value == 42 && (pool->valid == 1 || pool->newest == 1)))
		return 0;
	printf("%lu is valid with %lu\n", (unsigned long)value, (unsigned long)pool->newest);
	return 1;
}

int main(int argc, char **argv)
{
	if (argc < 4)
		return 2;
	directory = argv[argc - 1];
	mistake = strcmp(argv[3], "mistake") == 0;
	if (strcmp(argv[1], "check") == 0)
		return check(argv[2], map(NULL));
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		if (strcmp(argv[2], cases[i].name) == 0)
			cases[i].run(map(NULL));
	return 0;
}
