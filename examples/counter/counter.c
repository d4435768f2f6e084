/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts in persistent memory: `counter run DIR` counts to ten, `counter check DIR [ACKNOWLEDGED]` says whether what was
 * acknowledged is there. With a third argument "bug", run acknowledges what it has not persisted.
 */
#include <fcntl.h>
#include <powercut.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static uint64_t *map(const char *directory)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/counter", directory);
	int fd = open(path, O_RDWR | O_CREAT, 0644);
	if (fd < 0 || ftruncate(fd, 4096) != 0)
		return MAP_FAILED;
	return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

static void persist(const void *address)
{
	__asm__ volatile("clflush (%0)\n\tmfence" : : "r"(address) : "memory");
}

static void acknowledge(uint64_t count)
{
	char text[32];
	snprintf(text, sizeof text, "%lu", (unsigned long)count);
	powercut_acknowledge(text);
}

static int run(uint64_t *counter, int has_bug)
{
	powercut_begin();
	for (uint64_t count = 1; count <= 10; count++) {
		*counter = count;
		if (has_bug)
			acknowledge(count);
		persist(counter);
		if (!has_bug)
			acknowledge(count);
	}
	powercut_end();
	return 0;
}

static int check(const uint64_t *counter, const char *acknowledged)
{
	unsigned long last = 0;
	FILE *file = fopen(acknowledged, "r");
	while (file != NULL && fscanf(file, "%lu", &last) == 1)
		;
	if (*counter >= last && *counter <= last + 1)
		return 0;
	printf("%lu was acknowledged, %lu is there\n", last, (unsigned long)*counter);
	return 1;
}

int main(int argc, char **argv)
{
	uint64_t *counter = argc >= 4 ? map(argv[2]) : MAP_FAILED;
	if (counter == MAP_FAILED)
		return 2;
	return strcmp(argv[1], "run") == 0 ? run(counter, strcmp(argv[3], "bug") == 0) : check(counter, argv[3]);
}
