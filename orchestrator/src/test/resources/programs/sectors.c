/*
 * Stores a record and its mark, and persists both at once by msync: a power cut may leave the mark without the record.
 * Where both lie in one sector, no disk does that.
 *   sectors create PMDIR | run PMDIR WAY | check PMDIR
 * WAY: near (one sector), far (two), again (near, then far, by the same code), flushed (near, but with clwb), ordered
 * (the record first)
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096
#define PAGES 4
#define NEAR 64
#define FAR 512

static char *open_pool(const char *directory, int flags)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/pool", directory);
	int file = open(path, O_RDWR | flags, 0600);
	char *pool = MAP_FAILED;
	if (file >= 0 && ftruncate(file, PAGES * PAGE) == 0)
		pool = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (pool == MAP_FAILED) {
		perror(path);
		exit(2);
	}
	return pool;
}

static void put(char *page, int distance)
{
	*(volatile uint64_t *)page = 7;
	*(volatile uint64_t *)(page + distance) = 1;
}

static void persist(char *page)
{
	if (msync(page, PAGE, MS_SYNC) != 0)
		exit(2);
}

static void run(char *pool, const char *way)
{
	if (strcmp(way, "ordered") == 0) {
		*(volatile uint64_t *)pool = 7;
		persist(pool);
		*(volatile uint64_t *)(pool + NEAR) = 1;
		persist(pool);
		return;
	}
	if (strcmp(way, "flushed") == 0) {
		put(pool, NEAR);
		__asm__ volatile("clwb (%0); clwb 64(%0); sfence" : : "r"(pool) : "memory");
		return;
	}
	int again = strcmp(way, "again") == 0;
	for (int page = 0; page <= again; page++) {
		put(pool + page * PAGE, strcmp(way, "far") == 0 || page > 0 ? FAR : NEAR);
		persist(pool + page * PAGE);
	}
}

static int check(const char *pool)
{
	for (const char *page = pool; page < pool + PAGES * PAGE; page += PAGE) {
		int is_marked = *(const uint64_t *)(page + NEAR) == 1 || *(const uint64_t *)(page + FAR) == 1;
		if (is_marked && *(const uint64_t *)page != 7) {
			fprintf(stderr, "a mark without its record\n");
			return 1;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	char *pool = open_pool(argv[2], strcmp(argv[1], "create") == 0 ? O_CREAT : 0);
	if (strcmp(argv[1], "run") == 0)
		run(pool, argv[3]);
	return strcmp(argv[1], "check") == 0 ? check(pool) : 0;
}
