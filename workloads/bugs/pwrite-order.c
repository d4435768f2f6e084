/* A journal written with pwrite() and fdatasync(), and read through a mapping. The bug writes the header first. */
#include "pm.h"

#include <stddef.h>

#define RECORDS 8

struct journal {
	uint64_t count PM_ALIGNED;
	struct {
		uint64_t number PM_ALIGNED; /* from 1 */
	} records[RECORDS];
};

static void write_durably(int file, uint64_t value, size_t offset)
{
	if (pwrite(file, &value, sizeof value, (off_t)offset) != sizeof value || fdatasync(file) != 0)
		pm_fail("journal");
}

static void write_record(int file, uint64_t index)
{
	write_durably(file, index + 1, offsetof(struct journal, records[index]));
}

static void write_header(int file, uint64_t count)
{
	write_durably(file, count, offsetof(struct journal, count));
}

static void append(int file, const struct journal *journal)
{
	uint64_t count = journal->count;
#if BUG
	write_header(file, count + 1); /* BUG-AT */
	write_record(file, count);
#else
	write_record(file, count);
	write_header(file, count + 1);
#endif
}

static const char *check_journal(const struct journal *journal)
{
	for (uint64_t i = 0; i < journal->count; i++)
		if (i >= RECORDS || journal->records[i].number != i + 1)
			return "the header counts a record that was not written";
	return NULL;
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return pm_usage(argv[0]);
	int making = strcmp(argv[1], "create") == 0;
	const struct journal *journal = pm_map(argv[2], "journal", sizeof *journal, making);
	if (making)
		return 0;
	if (strcmp(argv[1], "run") == 0) {
		int file = pm_open(argv[2], "journal", sizeof *journal, 0);
		for (int i = 0; i < RECORDS; i++)
			append(file, journal);
		return 0;
	}
	if (strcmp(argv[1], "check") == 0)
		return pm_judge(check_journal(journal));
	return pm_usage(argv[0]);
}
