/*
 * Stores very much before it persists any of it: in one call, in a loop, by a system call, or a little here and there.
 * The pool's first page says how much of the rest is good. With "bad" before the way, it says so too early.
 *   bulk create PMDIR MEGABYTES | run PMDIR WAY MEGABYTES | check PMDIR
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE 4096
#define LINE 64
#define MEGABYTE (1ul << 20)
#define FILLING 7

struct head {
	uint64_t filled; // so many bytes after the head are FILLING
};

static void fail(const char *what)
{
	perror(what);
	exit(2);
}

static void flush(const void *start, size_t length)
{
	for (uintptr_t line = (uintptr_t)start & ~(uintptr_t)(LINE - 1); line < (uintptr_t)start + length; line += LINE)
		__asm__ volatile("clwb (%0)" : : "r"(line) : "memory");
}

static void fence(void)
{
	__asm__ volatile("sfence" : : : "memory");
}

static void persist(const void *start, size_t length)
{
	flush(start, length);
	fence();
}

static void announce(struct head *head, size_t size)
{
	head->filled = size;
	persist(head, sizeof *head);
}

static uint64_t random_number(void)
{
	static uint64_t state = 88172645463325252u;
	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

static void run(int file, char *pool, const char *way, size_t size)
{
	struct head *head = (struct head *)pool;
	char *data = pool + PAGE;
	if (strcmp(way, "memset") == 0) {
		memset(data, FILLING, size);
		persist(data, size);
		announce(head, size);
	} else if (strcmp(way, "bad-memset") == 0) {
		memset(data, FILLING, size);
		announce(head, size);
		persist(data, size);
	} else if (strcmp(way, "bad-line") == 0) {
		memset(data, FILLING, size);
		persist(data, size / 2);
		persist(data + size / 2 + LINE, size / 2 - LINE);
		announce(head, size);
	} else if (strcmp(way, "memcpy") == 0) {
		char *from = malloc(size);
		memset(from, FILLING, size);
		memcpy(data, from, size);
		if (msync(data, size, MS_SYNC) != 0)
			fail("msync");
		announce(head, size);
	} else if (strcmp(way, "write") == 0) {
		char *from = malloc(size);
		memset(from, FILLING, size);
		if (pwrite(file, from, size, PAGE) != (ssize_t)size || fsync(file) != 0)
			fail("write");
		announce(head, size);
	} else {
		size_t lines = size / LINE;
		for (int point = 0; point < 40; point++) {
			for (size_t number = 0; number < lines / 40; number++) {
				size_t line = strcmp(way, "random") == 0 ? random_number() % lines
						: strcmp(way, "stride") == 0     ? 2 * (number + point * (lines / 40)) % lines
														 : number + point * (lines / 40);
				*(volatile uint64_t *)(data + line * LINE) = number;
			}
			persist(head, sizeof *head);
			head->filled = 0;
		}
	}
}

static int check(const char *pool, size_t size)
{
	const struct head *head = (const struct head *)pool;
	if (head->filled > size)
		return 1;
	for (size_t index = 0; index < head->filled; index++) {
		if (pool[PAGE + index] != FILLING) {
			printf("byte %zu is not filled\n", index);
			return 1;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	char path[PAGE];
	snprintf(path, sizeof path, "%s/pool", argv[2]);
	int making = strcmp(argv[1], "create") == 0;
	int file = open(path, O_RDWR | (making ? O_CREAT : 0), 0644);
	if (file < 0)
		fail(path);
	if (making)
		return ftruncate(file, (off_t)(PAGE + strtoul(argv[3], NULL, 0) * MEGABYTE)) != 0;
	struct stat status;
	if (fstat(file, &status) != 0)
		fail(path);
	size_t size = (size_t)status.st_size - PAGE;
	char *pool = mmap(NULL, PAGE + size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (pool == MAP_FAILED)
		fail("mmap");
	if (strcmp(argv[1], "check") == 0)
		return check(pool, size);
	run(file, pool, argv[3], size);
	_exit(0);
}
