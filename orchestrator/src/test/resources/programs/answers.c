/*
 * A counter whose value is acknowledged before it is flushed:
 *   answers run HABIT PMDIR      HABIT: locked (a locked instruction is between the store and what is acknowledged);
 *                                late (another thread acknowledges); correct
 *   answers check PMDIR ACKNOWLEDGED
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ROUNDS 6

struct pool {
	uint64_t count;
};

static void fail(const char *what)
{
	perror(what);
	exit(2);
}

static struct pool *map(const char *directory)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/pool", directory);
	int descriptor = open(path, O_RDWR | O_CREAT, 0644);
	if (descriptor < 0 || ftruncate(descriptor, 4096) != 0)
		fail(path);
	void *start = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
	if (start == MAP_FAILED)
		fail(path);
	close(descriptor);
	return start;
}

#define PERSIST(p) __asm__ volatile("clwb (%0)\n\tsfence" : : "r"(p) : "memory")

static void *acknowledge(void *number)
{
	char line[32];
	int length = snprintf(line, sizeof line, "%u\n", *(unsigned *)number);
	if (write(1, line, (size_t)length) != length)
		fail("write");
	return NULL;
}

/* A locked instruction is a fence, but nothing was flushed. */
__attribute__((noinline)) static void count_locked(struct pool *pool, unsigned number)
{
	static int lock;
	pool->count = number;
	__atomic_fetch_add(&lock, 1, __ATOMIC_SEQ_CST);
	acknowledge(&number);
	PERSIST(&pool->count);
}

__attribute__((noinline)) static void count_late(struct pool *pool, unsigned number)
{
	pthread_t other;
	pool->count = number;
	if (pthread_create(&other, NULL, acknowledge, &number) != 0 || pthread_join(other, NULL) != 0)
		fail("thread");
	PERSIST(&pool->count);
}

__attribute__((noinline)) static void count(struct pool *pool, unsigned number)
{
	pool->count = number;
	PERSIST(&pool->count);
	acknowledge(&number);
}

static int check(const struct pool *pool, const char *file)
{
	FILE *stream = fopen(file, "r");
	unsigned number = 0;
	if (stream == NULL)
		fail(file);
	while (fscanf(stream, "%u", &number) == 1)
		;
	fclose(stream);
	if (pool->count < number)
		printf("%u was acknowledged, %u is there\n", number, (unsigned)pool->count);
	return pool->count < number;
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	if (strcmp(argv[1], "check") == 0)
		return check(map(argv[2]), argv[3]);
	struct pool *pool = map(argv[3]);
	for (unsigned number = 1; number <= ROUNDS; number++)
		if (strcmp(argv[2], "locked") == 0)
			count_locked(pool, number);
		else if (strcmp(argv[2], "late") == 0)
			count_late(pool, number);
		else
			count(pool, number);
	return 0;
}
