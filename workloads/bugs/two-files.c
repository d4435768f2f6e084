/* Records lie in one file, the index that leads to them in another. The bug updates the index first. */
#include "pm.h"

#define RECORDS 8

struct data {
	struct {
		uint64_t key PM_ALIGNED;
	} records[RECORDS];
};

struct index {
	uint64_t count PM_ALIGNED;
	uint64_t keys[RECORDS] PM_ALIGNED;
};

static void write_record(struct data *data, uint64_t at, uint64_t key)
{
	data->records[at].key = key;
	pm_persist(&data->records[at], sizeof data->records[at]);
}

static void write_index(struct index *index, uint64_t at, uint64_t key)
{
	index->keys[at] = key;
	pm_persist(&index->keys[at], sizeof index->keys[at]);
	index->count = at + 1;
	pm_persist(&index->count, sizeof index->count); /* BUG-AT */
}

static void add(struct data *data, struct index *index, uint64_t at)
{
	uint64_t key = 17 * at + 5;
#if BUG
	write_index(index, at, key);
	write_record(data, at, key);
#else
	write_record(data, at, key);
	write_index(index, at, key);
#endif
}

static const char *check_files(struct data *data, struct index *index)
{
	for (uint64_t i = 0; i < index->count; i++)
		if (i >= RECORDS || data->records[i].key != index->keys[i])
			return "the index leads to a record that is not there";
	return NULL;
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return pm_usage(argv[0]);
	int making = strcmp(argv[1], "create") == 0;
	struct data *data = pm_map(argv[2], "data", sizeof *data, making);
	struct index *index = pm_map(argv[2], "index", sizeof *index, making);
	if (making)
		return 0;
	if (strcmp(argv[1], "run") == 0) {
		for (uint64_t i = 0; i < RECORDS; i++)
			add(data, index, i);
		return 0;
	}
	if (strcmp(argv[1], "check") == 0)
		return pm_judge(check_files(data, index));
	return pm_usage(argv[0]);
}
