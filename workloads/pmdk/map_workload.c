/* SPDX-License-Identifier: Apache-2.0 */
/* Creates a pool with one of PMDK's maps, runs a seeded workload on it, and checks it after a crash. See README.md. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acknowledge.h"
#include "kv_check.h"
#include "pool.h"
#include "store.h"

enum puts { PUTS_BY_STEP, PUTS_IN_TRANSACTIONS, PUTS_TOGETHER };

struct options {
	uint64_t seed;
	uint64_t keys; /* 0: default_keys */
	uint64_t mebibytes;
	enum puts puts;
	bool acknowledge;
	const char *acknowledged; /* a file; NULL: the pool's own count is trusted */
};

static void usage(FILE *to)
{
	fprintf(to,
			"usage: map_workload create MAP POOL [--size MEBIBYTES]\n"
			"       map_workload run MAP POOL OPERATIONS [--seed N] [--keys N]\n"
			"                    [--puts by-step|per-transaction|in-one-transaction | --put-per-transaction]\n"
			"                    [--acknowledge[=yes|no]]\n"
			"       map_workload check MAP POOL [--acknowledged FILE]\n"
			"       map_workload dump MAP POOL\n"
			"       map_workload create-kv-server MAP POOL [--size MEBIBYTES]\n"
			"       map_workload check-kv-server MAP POOL OPERATIONS [--seed N] [--keys N]\n"
			"       map_workload dump-kv-server MAP POOL\n"
			"       map_workload operations OPERATIONS [--seed N] [--keys N]\n"
			"MAP: %s\n"
			"Exit codes: 0 done, or consistent; 1 inconsistent; 2 wrong usage; 3 could not do its work.\n",
			map_names());
}

static void wrong_usage(const char *why, const char *what)
{
	fprintf(stderr, "%s: %s\n", why, what);
	usage(stderr);
	exit(EXIT_USAGE);
}

/* Remembers the sequence in the pool before its first operation, so that check knows it. */
static void begin_run(struct store *store, const struct options *options, uint64_t operations)
{
	struct store_root *root = store->root;
	struct sequence sequence = {options->seed, options->keys == 0 ? default_keys(operations) : options->keys,
			options->puts == PUTS_TOGETHER ? operations / 3 : 0};

	if (root->completed > 0) {
		if (options->keys == 0)
			sequence.keys = root->sequence.keys;
		if (options->puts == PUTS_TOGETHER)
			sequence.puts_first = root->sequence.puts_first;
		if (memcmp(&sequence, &root->sequence, sizeof(sequence)) != 0)
			wrong_usage("the pool was written with another seed, number of keys or mode of puts", "run");
	}
	TX_BEGIN(store->pop)
	{
		TX_ADD_DIRECT(root);
		root->sequence = sequence;
		root->target = root->completed + operations;
	}
	TX_ONABORT
	{
		trouble("cannot begin: %s", pmemobj_errormsg());
	}
	TX_END
}

static void record_progress(struct store *store, uint64_t completed)
{
	store->root->completed = completed;
	pmemobj_persist(store->pop, &store->root->completed, sizeof(store->root->completed));
}

static void check_get(struct store *store, const struct operation *operation, uint64_t expected)
{
	PMEMoid value = store_get(store, operation->key);
	uint64_t version = OID_IS_NULL(value) ? 0 : value_version(value, operation->key);

	if (version != expected)
		inconsistent("a get of key %#lx returned version %lu instead of %lu", operation->key, version, expected);
}

static void put_all_in_one_transaction(struct store *store, struct contents *contents, bool acknowledges)
{
	const struct sequence *sequence = &store->root->sequence;

	TX_BEGIN(store->pop)
	{
		for (uint64_t number = 0; number < sequence->puts_first; number++) {
			struct operation operation = operation_at(sequence, number);

			store_put_in_transaction(store, operation.key, number + 1);
			contents_apply(contents, &operation, number);
		}
	}
	TX_ONABORT
	{
		trouble("transaction aborted: %s", pmemobj_errormsg());
	}
	TX_END
	record_progress(store, sequence->puts_first);
	for (uint64_t number = 0; acknowledges && number < sequence->puts_first; number++) {
		struct operation operation = operation_at(sequence, number);

		acknowledge(number + 1, operation.kind, operation.key);
	}
}

static void perform(struct store *store, const struct operation *operation, uint64_t number, enum puts puts,
		const struct contents *contents)
{
	switch (operation->kind) {
	case OPERATION_PUT:
		if (puts == PUTS_BY_STEP)
			store_put(store, operation->key, number + 1);
		else
			store_put_in_transaction(store, operation->key, number + 1);
		break;
	case OPERATION_GET: check_get(store, operation, contents->version[operation->index]); break;
	case OPERATION_DELETE: store_delete(store, operation->key); break;
	}
}

static void run(const struct tested_map *tested, const char *path, uint64_t operations, const struct options *options)
{
	struct store store;
	struct contents contents;

	if (options->puts != PUTS_BY_STEP && !tested->transactional)
		wrong_usage(
				"its operations cannot be part of a transaction: a crash would leave values that were never allocated",
				tested->name);
	srand((unsigned)options->seed); /* skiplist draws its levels from rand */
	store_open(&store, tested, path, EXIT_TROUBLE);
	store_recover(&store);
	begin_run(&store, options, operations);
	contents = contents_after(&store.root->sequence, store.root->completed);
	if (store.root->completed < store.root->sequence.puts_first)
		put_all_in_one_transaction(&store, &contents, options->acknowledge);
	while (store.root->completed < store.root->target) {
		uint64_t number = store.root->completed;
		struct operation operation = operation_at(&store.root->sequence, number);

		perform(&store, &operation, number, options->puts, &contents);
		contents_apply(&contents, &operation, number);
		record_progress(&store, number + 1);
		if (options->acknowledge)
			acknowledge(number + 1, operation.kind, operation.key);
	}
	free(contents.version);
	store_close(&store);
}

/* The versions that the map holds, by key index. The caller frees them. */
static struct contents contents_of(struct store *store, const struct inspection *inspection)
{
	const struct sequence *sequence = &store->root->sequence;
	struct contents found = contents_after(sequence, 0);

	for (size_t i = 0; i < inspection->entry_count; i++) {
		const struct map_entry *entry = &inspection->entries[i];
		uint64_t version = value_version(entry->value, entry->key);
		struct operation put = {0};

		if (version > 0 && version <= store->root->target)
			put = operation_at(sequence, version - 1);
		if (put.key != entry->key || put.kind != OPERATION_PUT)
			inconsistent("key %#lx has version %lu, which no put of it wrote", entry->key, version);
		if (found.version[put.index] != 0)
			inconsistent("key %#lx is in the map twice", entry->key);
		found.version[put.index] = version;
	}
	return found;
}

static uint64_t first_difference(const struct contents *left, const struct contents *right)
{
	uint64_t index = 0;

	while (index < left->keys && left->version[index] == right->version[index])
		index++;
	return index;
}

/*
 * How many operations must have left their marks: those that the pool counts; or, when a file has what was reported to
 * the world, those. The pool may know of one more then, but of none less.
 */
static uint64_t operations_to_find(const struct store_root *root, const char *file)
{
	int64_t acknowledged;

	if (file == NULL)
		return root->completed;
	acknowledged = acknowledged_in(file);
	if (acknowledged == ACKNOWLEDGED_DAMAGED)
		trouble("%s holds no acknowledged operations of this program", file);
	if (root->completed < (uint64_t)acknowledged)
		inconsistent("%ld operations were acknowledged, and the pool knows of %lu", acknowledged, root->completed);
	/* All puts of one transaction are acknowledged one by one, and done all at once. */
	if (acknowledged > 0 && (uint64_t)acknowledged < root->sequence.puts_first)
		return root->sequence.puts_first;
	return (uint64_t)acknowledged;
}

/* What the map may hold: the operations that are known to be done, and the one that may have been under way. */
struct expectation {
	uint64_t done;
	uint64_t target;
	struct contents without_next;
	struct contents with_next;
	const char *counted; /* how the operations are known to be done */
};

static struct expectation expect(const struct store_root *root, const char *acknowledged)
{
	struct expectation expected = {
			.done = operations_to_find(root, acknowledged),
			.target = root->target,
			.counted = acknowledged == NULL ? "completed" : "acknowledged",
	};
	uint64_t following = expected.done + 1;

	if (root->target == 0)
		return expected;
	if (root->sequence.keys == 0 || root->completed > root->target)
		inconsistent("the progress is damaged: %lu of %lu operations on %lu keys", root->completed, root->target,
				root->sequence.keys);
	if (expected.done < root->sequence.puts_first)
		following = root->sequence.puts_first;
	if (following > root->target)
		following = root->target;
	expected.without_next = contents_after(&root->sequence, expected.done);
	expected.with_next = contents_after(&root->sequence, 0);
	memcpy(expected.with_next.version, expected.without_next.version, root->sequence.keys * sizeof(uint64_t));
	contents_continue(&expected.with_next, &root->sequence, expected.done, following);
	return expected;
}

static void check_contents(struct store *store, const struct inspection *inspection, const struct expectation *expected)
{
	struct contents found;
	uint64_t difference;

	if (store->root->target == 0) {
		if (inspection->entry_count != 0)
			inconsistent("%zu entries before the first operation", inspection->entry_count);
		return;
	}
	found = contents_of(store, inspection);
	difference = first_difference(&found, &expected->without_next);
	if (difference < found.keys && first_difference(&found, &expected->with_next) < found.keys)
		inconsistent("after %lu %s operations key %#lx has version %lu instead of %lu (0: absent)", expected->done,
				expected->counted, key_of(difference), found.version[difference],
				expected->without_next.version[difference]);
	for (uint64_t index = 0; index < found.keys; index++)
		if (found.version[index] == 0 && !OID_IS_NULL(store_get(store, key_of(index))))
			inconsistent("map_get finds key %#lx, which is not in the map", key_of(index));
	free(found.version);
}

enum { EXTRA_KEYS = 24, REPLACED_KEYS = 12 };

/* Continues to use the map: new keys come and go, some of those there are removed and put back. */
static void work_on(struct store *store, const struct inspection *before)
{
	uint64_t beyond = store->root->sequence.keys;
	size_t step = before->entry_count / REPLACED_KEYS + 1;
	struct inspection between;

	for (uint64_t i = 0; i < EXTRA_KEYS; i++)
		store_put(store, key_of(beyond + i), 1);
	for (size_t i = 0; i < before->entry_count; i += step) {
		const struct map_entry *entry = &before->entries[i];
		uint64_t version = value_version(entry->value, entry->key);

		store_delete(store, entry->key);
		if (!OID_IS_NULL(store_get(store, entry->key)))
			inconsistent("key %#lx is still there after its removal", entry->key);
		store_put(store, entry->key, version);
	}
	store_inspect(store, &between);
	if (between.entry_count != before->entry_count + EXTRA_KEYS)
		inconsistent("%zu entries after %d more were put to %zu", between.entry_count, (int)EXTRA_KEYS,
				before->entry_count);
	inspection_end(&between);
	for (uint64_t i = 0; i < EXTRA_KEYS; i++)
		store_delete(store, key_of(beyond + i));
}

static void check(const struct tested_map *tested, const char *path, const char *acknowledged)
{
	struct store store;
	struct inspection first, second;
	struct expectation expected;

	store_open(&store, tested, path, EXIT_INCONSISTENT);
	store_recover(&store);
	store_inspect(&store, &first);
	expected = expect(store.root, acknowledged);
	check_contents(&store, &first, &expected);
	work_on(&store, &first);
	store_inspect(&store, &second);
	if (operations_to_find(store.root, acknowledged) != expected.done || store.root->target != expected.target)
		inconsistent("the progress changed from %lu of %lu to %lu of %lu operations, though none was done",
				expected.done, expected.target, store.root->completed, store.root->target);
	check_contents(&store, &second, &expected);
	if (inspection_unreached(&second, VALUE_TYPE) != 0)
		inconsistent("%zu values are allocated and not in the map", inspection_unreached(&second, VALUE_TYPE));
	printf("%s: consistent, %zu entries after %lu operations", tested->name, second.entry_count, store.root->completed);
	if (second.odd_nodes > 0)
		printf(", %zu nodes below the usual fill", second.odd_nodes);
	putchar('\n');
	free(expected.without_next.version);
	free(expected.with_next.version);
	inspection_end(&first);
	inspection_end(&second);
	store_close(&store);
}

/* Prints a line "KEY VERSION" for each entry, in the order of the keys: equal contents are equal texts. */
static void dump(const struct tested_map *tested, const char *path)
{
	struct store store;
	struct inspection inspection;

	store_open(&store, tested, path, EXIT_INCONSISTENT);
	store_recover(&store);
	store_inspect(&store, &inspection);
	inspection_sort(&inspection);
	for (size_t i = 0; i < inspection.entry_count; i++) {
		const struct map_entry *entry = &inspection.entries[i];

		printf("%lu %lu\n", entry->key, value_version(entry->value, entry->key));
	}
	inspection_end(&inspection);
	store_close(&store);
}

static void print_operations(uint64_t operations, const struct options *options)
{
	static const char *const names[] = {"put", "get", "delete"};
	struct sequence sequence = {options->seed, options->keys == 0 ? default_keys(operations) : options->keys, 0};

	for (uint64_t number = 0; number < operations; number++) {
		struct operation operation = operation_at(&sequence, number);

		printf("%s %lu\n", names[operation.kind], operation.key);
	}
}

static enum puts parse_puts(const char *text)
{
	if (strcmp(text, "by-step") == 0)
		return PUTS_BY_STEP;
	if (strcmp(text, "per-transaction") == 0)
		return PUTS_IN_TRANSACTIONS;
	if (strcmp(text, "in-one-transaction") == 0)
		return PUTS_TOGETHER;
	wrong_usage("no such way of putting", text);
	return PUTS_BY_STEP;
}

static int parse_options(int argc, char **argv, struct options *options)
{
	static const struct option known[] = {
			{"seed", required_argument, NULL, 's'},
			{"keys", required_argument, NULL, 'k'},
			{"size", required_argument, NULL, 'm'},
			{"put-per-transaction", no_argument, NULL, 't'},
			{"puts", required_argument, NULL, 'p'},
			{"acknowledge", optional_argument, NULL, 'a'},
			{"acknowledged", required_argument, NULL, 'f'},
			{"help", no_argument, NULL, 'h'},
			{0},
	};
	int option;

	while ((option = getopt_long(argc, argv, "h", known, NULL)) != -1)
		switch (option) {
		case 's': options->seed = parse_number("--seed", optarg, 0); break;
		case 'k': options->keys = parse_number("--keys", optarg, 1); break;
		case 'm': options->mebibytes = parse_number("--size", optarg, 8); break;
		case 't': options->puts = PUTS_IN_TRANSACTIONS; break;
		case 'p': options->puts = parse_puts(optarg); break;
		case 'a': options->acknowledge = optarg == NULL || strcmp(optarg, "yes") == 0; break;
		case 'f': options->acknowledged = optarg[0] == '\0' ? NULL : optarg; break;
		case 'h': usage(stdout); exit(0);
		default: usage(stderr); exit(EXIT_USAGE);
		}
	return optind;
}

int main(int argc, char **argv)
{
	struct options options = {.seed = 42, .mebibytes = DEFAULT_POOL_MEBIBYTES};
	int first = parse_options(argc, argv, &options);
	const char *command = first < argc ? argv[first] : "";
	const char *const *words = (const char *const *)argv + first + 1;
	int count = argc - first - 1;
	const struct tested_map *tested;
	struct store store;

	if (strcmp(command, "operations") == 0 && count == 1) {
		print_operations(parse_number("OPERATIONS", words[0], 1), &options);
		return 0;
	}
	if (count < 2)
		wrong_usage("words are missing after", command);
	tested = find_map(words[0]);
	if (tested == NULL)
		wrong_usage("no such map", words[0]);
	if (strcmp(command, "create") == 0 && count == 2) {
		store_create(&store, tested, words[1], options.mebibytes);
		store_close(&store);
	} else if (strcmp(command, "run") == 0 && count == 3) {
		run(tested, words[1], parse_number("OPERATIONS", words[2], 1), &options);
	} else if (strcmp(command, "check") == 0 && count == 2) {
		check(tested, words[1], options.acknowledged);
	} else if (strcmp(command, "dump") == 0 && count == 2) {
		dump(tested, words[1]);
	} else if (strcmp(command, "create-kv-server") == 0 && count == 2) {
		create_kv_pool(tested, words[1], options.mebibytes);
	} else if (strcmp(command, "check-kv-server") == 0 && count == 3) {
		uint64_t operations = parse_number("OPERATIONS", words[2], 1);
		struct sequence sequence = {options.seed, options.keys == 0 ? default_keys(operations) : options.keys, 0};

		check_kv_pool(tested, words[1], &sequence, operations);
	} else if (strcmp(command, "dump-kv-server") == 0 && count == 2) {
		dump_kv_pool(tested, words[1]);
	} else {
		wrong_usage("no such command, or a wrong number of words", command);
	}
	return EXIT_CONSISTENT;
}
