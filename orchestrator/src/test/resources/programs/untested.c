// A target with functions that persist, of which not all run.
//   untested PM
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SIZE 4096

static void persist(void *address)
{
	__builtin_ia32_clflush(address);
	__builtin_ia32_sfence();
}

// Runs before the analysis begins only.
void __attribute__((noinline)) format(uint64_t *pm)
{
	pm[0] = 1;
	persist(pm);
}

// Runs as a part of put; the compiler leaves a copy that never runs.
__attribute__((always_inline)) inline void put_one(uint64_t *pm, uint64_t value);
void put_one(uint64_t *pm, uint64_t value)
{
	pm[8] = value;
	persist(&pm[8]);
}
extern void put_one(uint64_t *pm, uint64_t value);

void __attribute__((noinline)) put(uint64_t *pm, uint64_t value)
{
	put_one(pm, value);
}

// Both are in a header of the system, as far as debug information shows. This one never runs, and is not listed.
#line 12 "/usr/include/persistent-queue.h"
void __attribute__((noinline)) queue_compact(uint64_t *pm)
{
	pm[24] = pm[8];
	persist(&pm[24]);
}

// This one is where the next function begins.
static inline __attribute__((always_inline)) void queue_clear(uint64_t *pm)
{
	pm[32] = 0;
}
#line 54 "untested.c"

// Never runs, and persists by itself.
void __attribute__((noinline)) compact(uint64_t *pm)
{
	queue_clear(pm);
	pm[16] = pm[8];
	persist(&pm[16]);
}

// Never runs, and persists in what it calls.
void __attribute__((noinline)) shrink(uint64_t *pm)
{
	compact(pm);
}

// Never runs, and does not persist.
int __attribute__((noinline)) look(const uint64_t *pm)
{
	return printf("%lu\n", pm[8]);
}

int main(int argc, char **argv)
{
	char path[4096];
	if (argc < 2)
		return 2;
	snprintf(path, sizeof path, "%s/pool", argv[1]);
	int fd = open(path, O_RDWR | O_CREAT, 0600);
	if (fd < 0 || ftruncate(fd, SIZE) != 0)
		return 2;
	uint64_t *pm = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (pm == MAP_FAILED)
		return 2;
	format(pm);
	for (uint64_t value = 1; value <= 3; value++)
		put(pm, value);
	if (argc > 2) {
		shrink(pm);
		return look(pm) < 0;
	}
	return 0;
}
