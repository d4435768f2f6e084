/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the chunks of a trace, oldest first, and writes what the detectors find to the file of POWERCUT_RACES. */
#include "replay.h"

#include "../detector.h"
#include "../kard.h"
#include "../locksets.h"
#include "../mappings.h"
#include "../objects.h"
#include "../report.h"
#include "../shadow.h"
#include "../stacks.h"
#include "../syncs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool is_on = true, with_hmtrace, with_kard, is_pure;

/* The program is over: nothing is mapped any more. */
bool mapping_at(uintptr_t address, char *path, size_t size, uint64_t *offset)
{
	(void)address, (void)path, (void)size, (void)offset;
	return false;
}

static void choose_detectors(void)
{
	const char *name = getenv("POWERCUT_RACE_DETECTOR"), *pure = getenv("POWERCUT_RACE_PURE");
	bool both = name != NULL && strcmp(name, "both") == 0;
	with_kard = both || (name != NULL && strcmp(name, "kard") == 0);
	with_hmtrace = both || !with_kard;
	is_pure = pure != NULL && strcmp(pure, "1") == 0;
	if (with_kard)
		kard_start();
}

/* Returns whether it was whole. */
static bool replay_chunk(const char *chunk, size_t size)
{
	const struct chunk *header = (const struct chunk *)chunk;
	if (size < CHUNK_HEADER || memcmp(header->magic, CHUNK_MAGIC, sizeof header->magic) != 0 ||
			header->version != TRACE_VERSION || header->used > size)
		return false;
	for (uint64_t at = header->header_size; at < header->used;) {
		const struct record *record = (const struct record *)(chunk + at);
		if (record->length < sizeof *record || record->length % 8 != 0 || record->length > header->used - at)
			return false;
		replay_record(record);
		if (is_unknown_library)
			break;
		at += record->length;
	}
	return true;
}

/* Returns false if there is no such chunk. */
static bool replay_file(const char *directory, unsigned long long number)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/" CHUNK_NAME, directory, number);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return false;
	struct stat about;
	const char *chunk = fstat(file, &about) == 0 && about.st_size > 0
			? mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0)
			: MAP_FAILED;
	if (chunk == MAP_FAILED || !replay_chunk(chunk, (size_t)about.st_size)) {
		fprintf(stderr, "powercut: %s is damaged, or of another version\n", path);
		exit(3);
	}
	munmap((void *)chunk, (size_t)about.st_size);
	close(file);
	return true;
}

int main(int count, char **arguments)
{
	if (count != 2) {
		fprintf(stderr, "usage: POWERCUT_RACES=FILE %s DIRECTORY-OF-A-TRACE\n", arguments[0]);
		return 2;
	}
	if (!report_start())
		return 3;
	report_without_memory();
	stacks_start();
	shadow_start();
	syncs_start();
	locksets_start();
	objects_start();
	choose_detectors();
	replay_start();
	unsigned long long number = 0;
	while (!is_unknown_library && replay_file(arguments[1], number))
		number++;
	if (is_unknown_library)
		report_limit(
				"the recorder does not know how libomp orders threads; remedy: compile the program with gcc, or with powercut cc");
	if (number == 0 && !is_unknown_library) {
		fprintf(stderr, "powercut: %s holds no trace\n", arguments[1]);
		return 3;
	}
	report_limit(
			"recorded from the program's code: atomic loads and stores look like plain ones, so nothing is confirmed");
	return 0;
}
