/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A journal in persistent memory whose header holds what need not survive: a lock, which recovery opens, and a count of
 * appends, which is only of interest while the program runs. `journal run DIR [bug]` appends, `journal check DIR`
 * recovers. With "bug", a length is not flushed that shares its cache line with the lock.
 */
#include <fcntl.h>
#include <powercut.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ENTRIES 8

struct journal {
	uint64_t lock; /* transient: recovery opens it */
	uint64_t appends; /* ignored: statistics of this run */
	uint64_t length;
	uint64_t rest[5];
	struct {
		uint64_t value;
		uint64_t number; /* of the entry, when it is complete */
		uint64_t rest[6];
	} entries[ENTRIES];
};

static struct journal *map(const char *directory)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/journal", directory);
	int fd = open(path, O_RDWR | O_CREAT, 0644);
	if (fd < 0 || ftruncate(fd, sizeof(struct journal)) != 0)
		return MAP_FAILED;
	return mmap(NULL, sizeof(struct journal), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

static void persist(const void *address)
{
	__asm__ volatile("clflush (%0)\n\tmfence" : : "r"(address) : "memory");
}

static void append(volatile struct journal *journal, uint64_t value, int has_bug)
{
	uint64_t length = journal->length;
	journal->lock = 1;
	journal->appends++;
	journal->entries[length].value = value;
	persist((void *)&journal->entries[length]);
	journal->length = length + 1;
	if (!has_bug)
		persist((void *)&journal->length);
	journal->entries[length].number = length + 1;
	persist((void *)&journal->entries[length]);
	journal->lock = 0;
}

static int run(volatile struct journal *journal, int has_bug)
{
	powercut_transient(&journal->lock, sizeof journal->lock);
	powercut_ignore(&journal->appends, sizeof journal->appends);
	powercut_begin();
	for (uint64_t i = 0; i < ENTRIES; i++)
		append(journal, 100 + i, has_bug);
	powercut_end();
	return 0;
}

static int check(volatile struct journal *journal)
{
	journal->lock = 0;
	for (uint64_t i = 0; i < ENTRIES; i++) {
		if (journal->entries[i].number != 0 && (journal->length <= i || journal->entries[i].value != 100 + i)) {
			printf("entry %lu is complete, but not in the journal\n", (unsigned long)i + 1);
			return 1;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct journal *journal = argc >= 3 ? map(argv[2]) : MAP_FAILED;
	if (journal == MAP_FAILED)
		return 2;
	return strcmp(argv[1], "run") == 0 ? run(journal, argc > 3 && strcmp(argv[3], "bug") == 0) : check(journal);
}
