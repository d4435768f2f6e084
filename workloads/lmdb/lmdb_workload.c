/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Creates an LMDB environment with MDB_WRITEMAP, runs a seeded workload on it, and checks it after a crash.
 * LMDB then stores into the mapped file itself and persists by msync. See README.md.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <lmdb.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "operations.h"

enum exit_code { EXIT_CONSISTENT = 0, EXIT_INCONSISTENT = 1, EXIT_USAGE = 2, EXIT_TROUBLE = 3 };
enum { LARGE_PAYLOAD = 700, SMALL_PAYLOAD = 12, DEFAULT_MEBIBYTES = 64, MORE_OPERATIONS = 60, PAGE = 4096 };

/* What the database says about itself, written in the same transaction as the contents. */
struct progress {
	struct sequence sequence;
	uint64_t batch; /* operations in a transaction */
	uint64_t completed;
	uint64_t target;
};

struct value {
	uint64_t version; /* number of the put that wrote it, plus one */
	uint64_t payload[LARGE_PAYLOAD]; /* payload_words(key) words that follow from the key and the version */
};

struct database {
	MDB_env *environment;
	MDB_dbi contents;
	MDB_dbi notes;
	uint64_t *acknowledged; /* in a file of its own: operations whose commit has returned */
};

static void say(const char *prefix, const char *format, va_list arguments)
{
	fflush(stdout);
	fprintf(stderr, "%s: ", prefix);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
}

static void __attribute__((noreturn, format(printf, 1, 2))) inconsistent(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say("inconsistent", format, arguments);
	va_end(arguments);
	exit(EXIT_INCONSISTENT);
}

static void __attribute__((noreturn, format(printf, 1, 2))) trouble(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say("trouble", format, arguments);
	va_end(arguments);
	exit(EXIT_TROUBLE);
}

/* What a failing call of LMDB means depends on who asks: to a check it is a verdict, to a run it is trouble. */
static enum exit_code failure = EXIT_TROUBLE;

static void must(int result, const char *what)
{
	if (result == MDB_SUCCESS)
		return;
	fprintf(stderr, "%s: %s: %s\n", failure == EXIT_INCONSISTENT ? "inconsistent" : "trouble", what,
			mdb_strerror(result));
	exit(failure);
}

static uint64_t payload_words(uint64_t key)
{
	/* One key in five has a value that does not fit a leaf page and gets overflow pages. */
	return scatter(key) % 5 == 0 ? LARGE_PAYLOAD : scatter(key) % SMALL_PAYLOAD;
}

static MDB_val fill_value(struct value *value, uint64_t key, uint64_t version)
{
	value->version = version;
	for (uint64_t i = 0; i < payload_words(key); i++)
		value->payload[i] = scatter(key + version + i);
	return (MDB_val){sizeof(value->version) + payload_words(key) * sizeof(uint64_t), value};
}

static uint64_t value_version(const MDB_val *data, uint64_t key)
{
	struct value expected;
	uint64_t version;

	if (data->mv_size != sizeof(version) + payload_words(key) * sizeof(uint64_t))
		inconsistent("the value of key %#lx has %zu bytes", key, data->mv_size);
	memcpy(&version, data->mv_data, sizeof(version));
	fill_value(&expected, key, version);
	if (memcmp(&expected, data->mv_data, data->mv_size) != 0)
		inconsistent("the value of key %#lx is damaged", key);
	return version;
}

/* Keys are kept big-endian, so that LMDB's order is the order of the numbers. */
static uint64_t big_endian(uint64_t number)
{
	return __builtin_bswap64(number);
}

static void map_acknowledged(struct database *database, const char *directory, int flags)
{
	char path[PATH_MAX];
	int file;

	snprintf(path, sizeof(path), "%s/acknowledged", directory);
	file = open(path, O_RDWR | flags, 0600);
	if (file < 0 || (flags != 0 && ftruncate(file, PAGE) != 0))
		trouble("cannot open %s: %s", path, strerror(errno));
	database->acknowledged = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (database->acknowledged == MAP_FAILED)
		trouble("cannot map %s: %s", path, strerror(errno));
	close(file);
}

static void database_open(struct database *database, const char *directory, uint64_t mebibytes, bool create)
{
	MDB_txn *transaction;

	must(mdb_env_create(&database->environment), "mdb_env_create");
	must(mdb_env_set_maxdbs(database->environment, 2), "mdb_env_set_maxdbs");
	/* Zero leaves the size as the file has it. */
	must(mdb_env_set_mapsize(database->environment, mebibytes << 20), "mdb_env_set_mapsize");
	must(mdb_env_open(database->environment, directory, MDB_WRITEMAP, 0600), "mdb_env_open");
	must(mdb_txn_begin(database->environment, NULL, create ? 0 : MDB_RDONLY, &transaction), "mdb_txn_begin");
	must(mdb_dbi_open(transaction, "contents", create ? MDB_CREATE : 0, &database->contents), "open contents");
	must(mdb_dbi_open(transaction, "notes", create ? MDB_CREATE : 0, &database->notes), "open notes");
	must(mdb_txn_commit(transaction), "mdb_txn_commit");
	map_acknowledged(database, directory, create ? O_CREAT : 0);
}

static void database_close(struct database *database)
{
	munmap(database->acknowledged, PAGE);
	mdb_env_close(database->environment);
}

static MDB_txn *begin(struct database *database, unsigned flags)
{
	MDB_txn *transaction;

	must(mdb_txn_begin(database->environment, NULL, flags, &transaction), "mdb_txn_begin");
	return transaction;
}

static void write_progress(struct database *database, MDB_txn *transaction, struct progress *progress)
{
	MDB_val key = {strlen("progress"), "progress"}, data = {sizeof(*progress), progress};

	must(mdb_put(transaction, database->notes, &key, &data, 0), "put progress");
}

/* False if nothing has run yet. */
static bool read_progress(struct database *database, MDB_txn *transaction, struct progress *progress)
{
	MDB_val key = {strlen("progress"), "progress"}, data;
	int result = mdb_get(transaction, database->notes, &key, &data);

	memset(progress, 0, sizeof(*progress));
	if (result == MDB_NOTFOUND)
		return false;
	must(result, "get progress");
	if (data.mv_size != sizeof(*progress))
		inconsistent("the progress has %zu bytes", data.mv_size);
	memcpy(progress, data.mv_data, sizeof(*progress));
	if (progress->sequence.keys == 0 || progress->batch == 0 || progress->completed > progress->target)
		inconsistent("the progress is damaged");
	return true;
}

static void acknowledge(struct database *database, uint64_t completed)
{
	*(volatile uint64_t *)database->acknowledged = completed;
	if (msync(database->acknowledged, PAGE, MS_SYNC) != 0)
		trouble("msync: %s", strerror(errno));
}

static void perform(struct database *database, MDB_txn *transaction, const struct operation *operation, uint64_t number,
		const struct contents *expected)
{
	uint64_t key_bytes = big_endian(operation->key), version;
	MDB_val key = {sizeof(key_bytes), &key_bytes}, data;
	struct value value;
	int result;

	switch (operation->kind) {
	case OPERATION_PUT:
		data = fill_value(&value, operation->key, number + 1);
		must(mdb_put(transaction, database->contents, &key, &data, 0), "mdb_put");
		break;
	case OPERATION_GET:
		result = mdb_get(transaction, database->contents, &key, &data);
		if (result != MDB_NOTFOUND)
			must(result, "mdb_get");
		version = result == MDB_NOTFOUND ? 0 : value_version(&data, operation->key);
		if (version != expected->version[operation->index])
			inconsistent("a get of key %#lx returned version %lu instead of %lu", operation->key, version,
					expected->version[operation->index]);
		break;
	case OPERATION_DELETE:
		result = mdb_del(transaction, database->contents, &key, NULL);
		if ((result == MDB_NOTFOUND) != (expected->version[operation->index] == 0))
			inconsistent("a delete of key %#lx says: %s", operation->key, mdb_strerror(result));
		break;
	}
}

/* Performs operations up to the target, each batch in a transaction with the progress that it makes. */
static void perform_all(struct database *database, struct progress *progress)
{
	struct contents expected = contents_after(&progress->sequence, progress->completed);

	while (progress->completed < progress->target) {
		MDB_txn *transaction = begin(database, 0);
		uint64_t end = progress->completed + progress->batch;

		if (end > progress->target)
			end = progress->target;
		for (uint64_t number = progress->completed; number < end; number++) {
			struct operation operation = operation_at(&progress->sequence, number);

			perform(database, transaction, &operation, number, &expected);
			contents_apply(&expected, &operation, number);
		}
		progress->completed = end;
		write_progress(database, transaction, progress);
		must(mdb_txn_commit(transaction), "mdb_txn_commit");
		acknowledge(database, end);
	}
	free(expected.version);
}

/* Notes in a transaction of its own what the run is going to do. */
static void begin_run(struct database *database, struct progress *progress)
{
	MDB_txn *transaction = begin(database, 0);

	write_progress(database, transaction, progress);
	must(mdb_txn_commit(transaction), "mdb_txn_commit");
}

static void create(const char *directory, uint64_t mebibytes)
{
	struct database database;

	if (mkdir(directory, 0700) != 0 && errno != EEXIST)
		trouble("cannot create %s: %s", directory, strerror(errno));
	database_open(&database, directory, mebibytes, true);
	database_close(&database);
}

static void run(const char *directory, uint64_t operations, struct progress wanted)
{
	struct database database;
	struct progress progress;
	MDB_txn *transaction;
	bool continues;

	database_open(&database, directory, 0, false);
	transaction = begin(&database, MDB_RDONLY);
	continues = read_progress(&database, transaction, &progress) && progress.completed > 0;
	mdb_txn_abort(transaction);
	if (wanted.sequence.keys == 0)
		wanted.sequence.keys = continues ? progress.sequence.keys : default_keys(operations);
	if (continues && memcmp(&wanted.sequence, &progress.sequence, sizeof(wanted.sequence)) != 0) {
		fprintf(stderr, "the database was written with another seed or number of keys\n");
		exit(EXIT_USAGE);
	}
	wanted.completed = progress.completed;
	wanted.target = progress.completed + operations;
	begin_run(&database, &wanted);
	perform_all(&database, &wanted);
	database_close(&database);
}

static uint64_t key_of_data(const MDB_val *key)
{
	uint64_t bytes;

	if (key->mv_size != sizeof(bytes))
		inconsistent("a key has %zu bytes", key->mv_size);
	memcpy(&bytes, key->mv_data, sizeof(bytes));
	return big_endian(bytes);
}

/* Walks all entries in order and, again, backwards; compares them with what they must be. */
static uint64_t check_contents(struct database *database, MDB_txn *transaction, const struct progress *progress)
{
	struct contents expected = contents_after(&progress->sequence, progress->completed);
	uint64_t last = 0, count = 0, backwards = 0, present = 0;
	MDB_cursor *cursor;
	MDB_val key, data;
	MDB_stat stat;
	int result;

	must(mdb_cursor_open(transaction, database->contents, &cursor), "mdb_cursor_open");
	while ((result = mdb_cursor_get(cursor, &key, &data, MDB_NEXT)) == MDB_SUCCESS) {
		uint64_t number = key_of_data(&key), version = value_version(&data, number);
		struct operation put = {0};

		if (version > 0 && version <= progress->completed)
			put = operation_at(&progress->sequence, version - 1);
		if (put.key != number || expected.version[put.index] != version)
			inconsistent("key %#lx has version %lu, which is not its last after %lu operations", number, version,
					progress->completed);
		if (number <= last)
			inconsistent("key %#lx comes after key %#lx", number, last);
		last = number;
		count++;
	}
	if (result != MDB_NOTFOUND)
		must(result, "walk forwards");
	while ((result = mdb_cursor_get(cursor, &key, &data, backwards == 0 ? MDB_LAST : MDB_PREV)) == MDB_SUCCESS)
		backwards++;
	if (result != MDB_NOTFOUND)
		must(result, "walk backwards");
	mdb_cursor_close(cursor);
	for (uint64_t index = 0; index < expected.keys; index++)
		present += expected.version[index] != 0;
	must(mdb_stat(transaction, database->contents, &stat), "mdb_stat");
	if (count != present || backwards != count || stat.ms_entries != count)
		inconsistent("%lu entries forwards, %lu backwards, %zu counted; there should be %lu", count, backwards,
				stat.ms_entries, present);
	free(expected.version);
	return count;
}

static uint64_t pages_of(MDB_txn *transaction, MDB_dbi database)
{
	MDB_stat stat;

	must(mdb_stat(transaction, database, &stat), "mdb_stat");
	return stat.ms_branch_pages + stat.ms_leaf_pages + stat.ms_overflow_pages;
}

/* Every page of the file is in use by one of the trees or in the list of free pages. */
static void check_pages(struct database *database, MDB_txn *transaction)
{
	enum { FREE_PAGES = 0, MAIN = 1, META_PAGES = 2 }; /* LMDB's own handles, and the two pages of its headers */
	uint64_t used = META_PAGES, free_pages = 0;
	MDB_envinfo info;
	MDB_cursor *cursor;
	MDB_val key, data;

	used += pages_of(transaction, FREE_PAGES) + pages_of(transaction, MAIN);
	used += pages_of(transaction, database->contents) + pages_of(transaction, database->notes);
	must(mdb_cursor_open(transaction, FREE_PAGES, &cursor), "mdb_cursor_open");
	while (mdb_cursor_get(cursor, &key, &data, MDB_NEXT) == MDB_SUCCESS)
		free_pages += *(const size_t *)data.mv_data;
	mdb_cursor_close(cursor);
	must(mdb_env_info(database->environment, &info), "mdb_env_info");
	if (used + free_pages != info.me_last_pgno + 1)
		inconsistent("%lu pages in use and %lu free make not the %zu of the file", used, free_pages,
				info.me_last_pgno + 1);
}

/* A transaction is there as a whole or not at all, and is there if its commit has returned. */
static uint64_t check_all(struct database *database, struct progress *progress)
{
	MDB_txn *transaction = begin(database, MDB_RDONLY);
	uint64_t acknowledged = *database->acknowledged, entries = 0;
	MDB_stat stat;

	if (read_progress(database, transaction, progress)) {
		uint64_t following = acknowledged + progress->batch;

		if (following > progress->target)
			following = progress->target;
		if (progress->completed < acknowledged ||
				(progress->completed != acknowledged && progress->completed != following))
			inconsistent("%lu operations are in the database; commits have returned for %lu", progress->completed,
					acknowledged);
		entries = check_contents(database, transaction, progress);
	} else {
		must(mdb_stat(transaction, database->contents, &stat), "mdb_stat");
		if (stat.ms_entries != 0 || acknowledged != 0)
			inconsistent("%zu entries before the first operation", stat.ms_entries);
	}
	check_pages(database, transaction);
	mdb_txn_abort(transaction);
	return entries;
}

/* Takes back what a check of a database that no run has touched has put there. */
static void forget_all(struct database *database)
{
	MDB_txn *transaction = begin(database, 0);

	must(mdb_drop(transaction, database->contents, 0), "mdb_drop");
	must(mdb_drop(transaction, database->notes, 0), "mdb_drop");
	must(mdb_txn_commit(transaction), "mdb_txn_commit");
	acknowledge(database, 0);
}

static void check(const char *directory)
{
	struct database database;
	struct progress progress;
	uint64_t entries, completed;
	bool untouched;

	failure = EXIT_INCONSISTENT;
	database_open(&database, directory, 0, false);
	entries = check_all(&database, &progress);
	completed = progress.completed;
	/* Continues the workload as the application would. */
	untouched = progress.batch == 0;
	if (untouched)
		progress = (struct progress){.sequence = {42, MORE_OPERATIONS / 3, 0}, .batch = 5};
	progress.target = progress.completed + MORE_OPERATIONS;
	perform_all(&database, &progress);
	check_all(&database, &progress);
	if (untouched)
		forget_all(&database);
	printf("lmdb: consistent, %lu entries after %lu operations\n", entries, completed);
	database_close(&database);
}

static void usage(FILE *to)
{
	fprintf(to,
			"usage: lmdb_workload create DIRECTORY [--size MEBIBYTES]\n"
			"       lmdb_workload run DIRECTORY OPERATIONS [--seed N] [--keys N] [--batch N]\n"
			"       lmdb_workload check DIRECTORY\n"
			"Exit codes: 0 done, or consistent; 1 inconsistent; 2 wrong usage; 3 could not do its work.\n");
}

static uint64_t parse_number(const char *what, const char *text, uint64_t least)
{
	char *end;
	unsigned long long number;

	errno = 0;
	number = strtoull(text, &end, 10);
	if (errno != 0 || end == text || *end != '\0' || text[0] == '-' || number < least) {
		fprintf(stderr, "%s is '%s'; it must be a number of at least %lu\n", what, text, (unsigned long)least);
		exit(EXIT_USAGE);
	}
	return number;
}

int main(int argc, char **argv)
{
	static const struct option known[] = {{"seed", required_argument, NULL, 's'},
			{"keys", required_argument, NULL, 'k'}, {"batch", required_argument, NULL, 'b'},
			{"size", required_argument, NULL, 'm'}, {"help", no_argument, NULL, 'h'}, {0}};
	struct progress wanted = {.sequence = {.seed = 42}, .batch = 5};
	uint64_t mebibytes = DEFAULT_MEBIBYTES;
	int option;

	while ((option = getopt_long(argc, argv, "h", known, NULL)) != -1)
		switch (option) {
		case 's': wanted.sequence.seed = parse_number("--seed", optarg, 0); break;
		case 'k': wanted.sequence.keys = parse_number("--keys", optarg, 1); break;
		case 'b': wanted.batch = parse_number("--batch", optarg, 1); break;
		case 'm': mebibytes = parse_number("--size", optarg, 1); break;
		case 'h': usage(stdout); return 0;
		default: usage(stderr); return EXIT_USAGE;
		}
	argv += optind;
	argc -= optind;
	if (argc == 2 && strcmp(argv[0], "create") == 0) {
		create(argv[1], mebibytes);
	} else if (argc == 3 && strcmp(argv[0], "run") == 0) {
		run(argv[1], parse_number("OPERATIONS", argv[2], 1), wanted);
	} else if (argc == 2 && strcmp(argv[0], "check") == 0) {
		check(argv[1]);
	} else {
		usage(stderr);
		return EXIT_USAGE;
	}
	return EXIT_CONSISTENT;
}
