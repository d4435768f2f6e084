/*
 * What every program of the bug suite needs: a mapped file that stands for persistent memory, flushes, fences, and
 * main().
 *
 * A program defines `struct pool` and three functions, and ends with PM_MAIN (see there). `BUG` is 1 in the variant
 * with the bug and 0 in its correct twin. The flush and fence helpers are macros, so that the instruction belongs to
 * the line of the program that uses it; pm_persist() is a function on purpose: real programs reach one flush from many
 * paths.
 */
#ifndef POWERCUT_BUGS_PM_H
#define POWERCUT_BUGS_PM_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef BUG
#error "compile with -DBUG=1 (the bug) or -DBUG=0 (the correct twin)"
#endif

#define PM_LINE 64
#define PM_ALIGNED __attribute__((aligned(PM_LINE)))
#define PM_HELPER __attribute__((unused, noinline)) static

/* The "memory" clobbers also keep the compiler from moving stores over a flush or a fence. */
#define pm_clwb(p) __asm__ volatile("clwb (%0)" : : "r"(p) : "memory")
#define pm_clflushopt(p) __asm__ volatile("clflushopt (%0)" : : "r"(p) : "memory")
#define pm_clflush(p) __asm__ volatile("clflush (%0)" : : "r"(p) : "memory")
#define pm_sfence() __asm__ volatile("sfence" : : : "memory")
#define pm_mfence() __asm__ volatile("mfence" : : : "memory")
/* A store that bypasses the cache. It needs no flush, but it does need a fence. */
#define pm_store_nt(p, v) __asm__ volatile("movnti %1, (%0)" : : "r"(p), "r"((uint64_t)(v)) : "memory")
/* Keeps the compiler, and only the compiler, from reordering stores: enough for two stores to one cache line. */
#define pm_compiler_barrier() __asm__ volatile("" : : : "memory")

/* Makes a range durable: every cache line it touches is flushed, then a fence waits for them. */
PM_HELPER void pm_persist(const void *start, size_t length)
{
	uintptr_t end = (uintptr_t)start + length;
	for (uintptr_t line = (uintptr_t)start & ~(uintptr_t)(PM_LINE - 1); line < end; line += PM_LINE)
		pm_clwb(line);
	pm_sfence();
}

/* memcpy() for whole words, by one instruction in a loop: how the C library copies differs between processors. */
PM_HELPER void pm_copy(void *to, const void *from, size_t length)
{
	for (size_t i = 0; i < length / sizeof(uint64_t); i++) {
		((uint64_t *)to)[i] = ((const uint64_t *)from)[i];
		pm_compiler_barrier();
	}
}

PM_HELPER void pm_fail(const char *what)
{
	perror(what);
	exit(2);
}

/* Opens DIRECTORY/NAME with SIZE bytes; creates it again, full of zeroes, when asked to. Returns the descriptor. */
PM_HELPER int pm_open(const char *directory, const char *name, size_t size, int make)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", directory, name);
	int descriptor = open(path, make ? O_RDWR | O_CREAT | O_TRUNC : O_RDWR, 0644);
	if (descriptor < 0)
		pm_fail(path);
	struct stat status;
	if (make && ftruncate(descriptor, (off_t)size) != 0)
		pm_fail(path);
	if (fstat(descriptor, &status) != 0 || (size_t)status.st_size != size) {
		fprintf(stderr, "%s: not a file of %zu bytes\n", path, size);
		exit(1);
	}
	return descriptor;
}

PM_HELPER void *pm_map(const char *directory, const char *name, size_t size, int make)
{
	int descriptor = pm_open(directory, name, size, make);
	void *start = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
	if (start == MAP_FAILED)
		pm_fail(name);
	close(descriptor);
	return start;
}

PM_HELPER int pm_usage(const char *program)
{
	fprintf(stderr, "usage: %s create|run|check PMDIR\n", program);
	return 2;
}

/* Says what recovery found: NULL is consistent. */
PM_HELPER int pm_judge(const char *complaint)
{
	if (complaint == NULL)
		return 0;
	printf("inconsistent: %s\n", complaint);
	return 1;
}

/* Ends the program at once. exit() takes a lock, and a locked instruction is a fence: it would replace one that the
 * workload forgot at its end, and be a failure point if anything was left unflushed. */
PM_HELPER void pm_leave(void)
{
	_exit(0);
}

/* For programs with one file, which define `struct pool` and:
 *   static void create(struct pool *pool)        fills a new pool, which is all zeroes
 *   static void run(struct pool *pool)           the workload
 *   static const char *check(struct pool *pool)  recovers, then judges: NULL, or what is wrong
 */
#define PM_MAIN \
	int main(int argc, char **argv) \
	{ \
		if (argc != 3) \
			return pm_usage(argv[0]); \
		int making = strcmp(argv[1], "create") == 0; \
		struct pool *pool = (struct pool *)pm_map(argv[2], "pool", sizeof(struct pool), making); \
		if (making) \
			create(pool); \
		else if (strcmp(argv[1], "run") == 0) \
			run(pool); \
		else if (strcmp(argv[1], "check") == 0) \
			return pm_judge(check(pool)); \
		else \
			return pm_usage(argv[0]); \
		return 0; \
	}

#endif
