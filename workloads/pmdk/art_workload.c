/* SPDX-License-Identifier: Apache-2.0 */
/* Creates a pool with PMDK's libart (adaptive radix tree), runs a seeded workload on it, checks it after a crash. */
#include <art.c>

#include <getopt.h>

#include "acknowledge.h"
#include "inspect.h"
#include "operations.h"
#include "pool.h"

enum {
	KEY_SIZE = 5, /* four digits and the NUL byte that the tree wants at the end */
	DIGITS = 64, /* different bytes in one place of a key: enough to make nodes of all four kinds */
	FIRST_DIGIT = '@', /* all bytes are below 128: art.c orders a node's keys as signed bytes in one of its kinds */
	VALUE_SIZE = 24, /* all alike: art.c writes a new value over the old one without looking at its size */
	LARGEST_WINDOW = 1000,
	CHECKED_OPERATIONS = 60
};

/* Which keys come and go. See README.md for what art.c gets wrong with KEYS_ANY, without any crash. */
enum key_choice {
	KEYS_SAFE, /* new keys are always the smallest, deleted ones the largest */
	KEYS_ANY /* any of them */
};

struct art_root {
	struct art_tree_root art; /* first: art.c takes the root object for its own */
	struct sequence sequence; /* sequence.keys is the number of keys kept, or of all keys with KEYS_ANY */
	uint64_t choice;
	uint64_t completed;
	uint64_t target;
};

struct art_operation {
	enum operation_kind kind;
	uint64_t index;
};

/* The expected contents, and where KEYS_SAFE's window of keys begins and ends. */
struct model {
	const struct art_root *root;
	uint64_t *version; /* by key index; 0: absent */
	uint64_t indices;
	uint64_t oldest;
	uint64_t next;
};

struct workload {
	PMEMobjpool *pop;
	struct art_root *root;
	bool acknowledge;
	const char *acknowledged; /* a file; NULL: the pool's own count is trusted */
};

static void art_key(unsigned char key[KEY_SIZE], uint64_t choice, uint64_t index)
{
	uint64_t all = (uint64_t)DIGITS * DIGITS * DIGITS * DIGITS;
	uint64_t number = choice == KEYS_SAFE ? all - 1 - index : index * 0x9e3779b1 % all;

	for (int place = KEY_SIZE - 2; place >= 0; place--) {
		key[place] = (unsigned char)(FIRST_DIGIT + number % DIGITS);
		number /= DIGITS;
	}
	key[KEY_SIZE - 1] = '\0';
}

static void art_value(char value[VALUE_SIZE], uint64_t index, uint64_t version)
{
	snprintf(value, VALUE_SIZE, "%011lu:%011lu", index % 100000000000, version % 100000000000);
}

static void model_begin(struct model *model, const struct art_root *root)
{
	*model = (struct model){.root = root};
	model->indices = root->choice == KEYS_ANY ? root->sequence.keys : root->target + CHECKED_OPERATIONS + 1;
	model->version = calloc(model->indices + 1, sizeof(uint64_t));
	if (model->version == NULL)
		trouble("out of memory for %lu keys", model->indices);
}

/* The next operation, given what the ones before have done. */
static struct art_operation model_next(const struct model *model, uint64_t number)
{
	struct operation operation = operation_at(&model->root->sequence, number);
	struct art_operation next = {operation.kind, operation.index};
	uint64_t kept = model->next - model->oldest;

	if (model->root->choice == KEYS_ANY)
		return next;
	next.index = kept == 0 ? model->next : model->oldest + scatter(number) % kept;
	if (operation.kind == OPERATION_PUT && scatter(~number) % 4 != 0)
		next.index = model->next;
	else if (operation.kind == OPERATION_DELETE)
		next.index = kept >= model->root->sequence.keys ? model->oldest : model->next; /* or one that is not there */
	return next;
}

static void model_apply(struct model *model, const struct art_operation *operation, uint64_t number)
{
	if (operation->kind == OPERATION_PUT) {
		model->version[operation->index] = number + 1;
		if (operation->index == model->next)
			model->next++;
	} else if (operation->kind == OPERATION_DELETE) {
		model->version[operation->index] = 0;
		if (operation->index == model->oldest && model->oldest < model->next)
			model->oldest++;
	}
}

static void model_advance(struct model *model, uint64_t from, uint64_t to)
{
	for (uint64_t number = from; number < to; number++) {
		struct art_operation operation = model_next(model, number);

		model_apply(model, &operation, number);
	}
}

static void open_pool(struct workload *workload, const char *path, enum exit_code failure)
{
	int new_pool = 0;

	workload->pop = pmemobj_open(path, POBJ_LAYOUT_NAME(arttree_tx));
	if (workload->pop == NULL) {
		fprintf(stderr, "cannot open pool %s as %s: %s\n", path, POBJ_LAYOUT_NAME(arttree_tx), pmemobj_errormsg());
		exit(failure);
	}
	workload->root = pmemobj_direct(pmemobj_root(workload->pop, sizeof(struct art_root)));
	if (workload->root == NULL || art_tree_init(workload->pop, &new_pool) != 0)
		inconsistent("the tree's root cannot be had: %s", pmemobj_errormsg());
}

static void create(const char *path, uint64_t mebibytes)
{
	PMEMobjpool *pop = create_sparse_pool(path, POBJ_LAYOUT_NAME(arttree_tx), mebibytes);
	int new_pool = 1;

	if (OID_IS_NULL(pmemobj_root(pop, sizeof(struct art_root))) || art_tree_init(pop, &new_pool) != 0)
		trouble("cannot make the tree: %s", pmemobj_errormsg());
	pmemobj_close(pop);
}

static void perform(struct workload *workload, const struct model *model, const struct art_operation *operation,
		uint64_t number)
{
	unsigned char key[KEY_SIZE];
	char value[VALUE_SIZE];
	TOID(var_string) found;

	art_key(key, workload->root->choice, operation->index);
	switch (operation->kind) {
	case OPERATION_PUT:
		art_value(value, operation->index, number + 1);
		art_insert(workload->pop, key, KEY_SIZE, value, VALUE_SIZE);
		break;
	case OPERATION_GET:
		found = art_search(workload->pop, key, KEY_SIZE);
		art_value(value, operation->index, model->version[operation->index]);
		if (TOID_IS_NULL(found) != (model->version[operation->index] == 0))
			inconsistent("a search for key %s %s", key,
					TOID_IS_NULL(found) ? "misses it" : "finds it, absent as it is");
		if (!TOID_IS_NULL(found) && memcmp(D_RO(found)->s, value, VALUE_SIZE) != 0)
			inconsistent("a search for key %s finds %.24s instead of %s", key, D_RO(found)->s, value);
		break;
	case OPERATION_DELETE: art_delete(workload->pop, key, KEY_SIZE); break;
	}
}

/* Performs operations up to the target, each followed by a note of its completion. */
static void perform_all(struct workload *workload)
{
	struct art_root *root = workload->root;
	struct model model;

	model_begin(&model, root);
	model_advance(&model, 0, root->completed);
	while (root->completed < root->target) {
		uint64_t number = root->completed;
		struct art_operation operation = model_next(&model, number);

		perform(workload, &model, &operation, number);
		model_apply(&model, &operation, number);
		root->completed = number + 1;
		pmemobj_persist(workload->pop, &root->completed, sizeof(root->completed));
		if (workload->acknowledge)
			acknowledge(number + 1, operation.kind, operation.index);
	}
	free(model.version);
}

static void set_target(struct workload *workload, const struct sequence *sequence, uint64_t choice, uint64_t target)
{
	TX_BEGIN(workload->pop)
	{
		TX_ADD_DIRECT(&workload->root->sequence);
		TX_ADD_DIRECT(&workload->root->choice);
		TX_ADD_DIRECT(&workload->root->target);
		workload->root->sequence = *sequence;
		workload->root->choice = choice;
		workload->root->target = target;
	}
	TX_ONABORT
	{
		trouble("cannot begin: %s", pmemobj_errormsg());
	}
	TX_END
}

static void run(const char *path, uint64_t operations, struct sequence sequence, enum key_choice choice,
		bool acknowledge)
{
	struct workload workload = {.acknowledge = acknowledge};

	open_pool(&workload, path, EXIT_TROUBLE);
	if (sequence.keys == 0 && workload.root->completed > 0)
		sequence.keys = workload.root->sequence.keys;
	if (sequence.keys == 0) {
		sequence.keys = default_keys(operations) / 2;
		if (choice == KEYS_SAFE && sequence.keys > LARGEST_WINDOW)
			sequence.keys = LARGEST_WINDOW;
	}
	if (workload.root->completed > 0 &&
			(workload.root->choice != (uint64_t)choice ||
					memcmp(&sequence, &workload.root->sequence, sizeof(sequence)) != 0)) {
		fprintf(stderr, "the pool was written with another seed, number or choice of keys\n");
		exit(EXIT_USAGE);
	}
	set_target(&workload, &sequence, choice, workload.root->completed + operations);
	perform_all(&workload);
	pmemobj_close(workload.pop);
}

/* What is known on the way down to a node. */
struct path {
	unsigned char bytes[KEY_SIZE];
	uint32_t length;
};

struct walk {
	struct inspection inspection;
	const struct model *model;
	uint64_t *version; /* found, by key index */
	uint64_t leaves;
};

static uint64_t index_in(const struct walk *walk, const unsigned char *key)
{
	unsigned char expected[KEY_SIZE];

	for (uint64_t index = 0; index < walk->model->indices; index++) {
		art_key(expected, walk->model->root->choice, index);
		if (memcmp(expected, key, KEY_SIZE) == 0)
			return index;
	}
	inconsistent("the tree holds key %.4s, which nobody put", key);
}

static void walk_leaf(struct walk *walk, PMEMoid oid, const struct path *path)
{
	const art_leaf *leaf = inspect_object(&walk->inspection, oid, TOID_TYPE_NUM(art_leaf), sizeof(*leaf), "a leaf");
	const var_string *key = inspect_object(&walk->inspection, leaf->key.oid, TOID_TYPE_NUM(var_string),
			sizeof(*key) + KEY_SIZE, "a leaf's key");
	const var_string *value = inspect_object(&walk->inspection, leaf->value.oid, TOID_TYPE_NUM(var_string),
			sizeof(*value) + VALUE_SIZE, "a leaf's value");
	char expected[VALUE_SIZE];
	uint64_t index, version;

	if (key->len != KEY_SIZE || value->len != VALUE_SIZE)
		inconsistent("a key of %zu and a value of %zu bytes", key->len, value->len);
	if (memcmp(key->s, path->bytes, path->length) != 0)
		inconsistent("key %.4s hangs below %.*s", key->s, (int)path->length, path->bytes);
	if (sscanf((const char *)value->s, "%lu:%lu", &index, &version) != 2 || index >= walk->model->indices)
		index = index_in(walk, key->s);
	art_key((unsigned char *)expected, walk->model->root->choice, index);
	if (memcmp(expected, key->s, KEY_SIZE) != 0)
		inconsistent("key %.4s has the value of key %.4s", key->s, expected);
	art_value(expected, index, version);
	if (memcmp(expected, value->s, VALUE_SIZE) != 0)
		inconsistent("the value of key %.4s is damaged", key->s);
	if (walk->version[index] != 0)
		inconsistent("key %.4s is in the tree twice", key->s);
	walk->version[index] = version;
	walk->leaves++;
}

static void walk_node(struct walk *walk, PMEMoid oid, struct path path);

static void walk_child(struct walk *walk, PMEMoid child, struct path path, unsigned byte)
{
	if (path.length >= KEY_SIZE)
		inconsistent("a node lies below a whole key");
	path.bytes[path.length++] = (unsigned char)byte;
	walk_node(walk, child, path);
}

static void walk_sorted(struct walk *walk, const art_node *node, int most, const unsigned char *keys,
		const TOID(art_node_u) *children, const struct path *path)
{
	if (node->num_children > most)
		inconsistent("a node for %d children has %d", most, node->num_children);
	for (int i = 0; i < node->num_children; i++) {
		if (i > 0 && keys[i - 1] >= keys[i])
			inconsistent("a node's keys %#x and %#x are out of order", keys[i - 1], keys[i]);
		walk_child(walk, children[i].oid, *path, keys[i]);
	}
}

static void walk_48(struct walk *walk, const art_node48 *node, const struct path *path)
{
	int children = 0;

	for (unsigned byte = 0; byte < 256; byte++)
		if (node->keys[byte] != 0) {
			if (node->keys[byte] > 48)
				inconsistent("a node for 48 children has number %d", node->keys[byte]);
			walk_child(walk, node->children[node->keys[byte] - 1].oid, *path, byte);
			children++;
		}
	if (children != node->n.num_children)
		inconsistent("a node counts %d children, has %d", node->n.num_children, children);
}

static void walk_256(struct walk *walk, const art_node256 *node, const struct path *path)
{
	int children = 0;

	for (unsigned byte = 0; byte < 256; byte++)
		if (!TOID_IS_NULL(node->children[byte])) {
			walk_child(walk, node->children[byte].oid, *path, byte);
			children++;
		}
	if (children != node->n.num_children)
		inconsistent("a node counts %d children, has %d", node->n.num_children, children);
}

static void walk_inner(struct walk *walk, const art_node_u *node, struct path path)
{
	static const uint64_t types[] = {TOID_TYPE_NUM(art_node4), TOID_TYPE_NUM(art_node16), TOID_TYPE_NUM(art_node48),
			TOID_TYPE_NUM(art_node256)};
	static const size_t sizes[] = {sizeof(art_node4), sizeof(art_node16), sizeof(art_node48), sizeof(art_node256)};
	const art_node *header = inspect_object(&walk->inspection, node->u.an4.oid, types[node->art_node_type],
			sizes[node->art_node_type], "an inner node");

	if (header->partial_len > KEY_SIZE - path.length)
		inconsistent("a node at depth %u has a label of %u bytes", path.length, header->partial_len);
	memcpy(path.bytes + path.length, header->partial, header->partial_len);
	path.length += header->partial_len;
	if (header->num_children < 2)
		inconsistent("an inner node has %d children", header->num_children);
	switch ((art_node_type)node->art_node_type) {
	case NODE4:
		walk_sorted(walk, header, 4, ((const art_node4 *)header)->keys, ((const art_node4 *)header)->children, &path);
		break;
	case NODE16:
		walk_sorted(walk, header, 16, ((const art_node16 *)header)->keys, ((const art_node16 *)header)->children,
				&path);
		break;
	case NODE48: walk_48(walk, (const art_node48 *)header, &path); break;
	case NODE256: walk_256(walk, (const art_node256 *)header, &path); break;
	case art_leaf_t:
	case art_node_types: break;
	}
}

static void walk_node(struct walk *walk, PMEMoid oid, struct path path)
{
	const art_node_u *node =
			inspect_object(&walk->inspection, oid, TOID_TYPE_NUM(art_node_u), sizeof(*node), "a child");

	if (node->art_node_type == art_leaf_t)
		walk_leaf(walk, node->u.al.oid, &path);
	else if (node->art_node_type < art_leaf_t)
		walk_inner(walk, node, path);
	else
		inconsistent("a node is of kind %d", node->art_node_type);
}

static uint64_t leaves_iterated;

static int count_leaf(void *node, const unsigned char *key, uint32_t key_length, const unsigned char *value,
		uint32_t value_length)
{
	(void)node;
	(void)key_length;
	(void)value;
	(void)value_length;
	leaves_iterated += key != NULL; /* art_iter reports inner nodes too */
	return 0;
}

static bool contents_match(const struct walk *walk, const struct model *model)
{
	return memcmp(walk->version, model->version, model->indices * sizeof(uint64_t)) == 0;
}

/*
 * How many operations must have left their marks: those that the pool counts; or, when a file has what was reported to
 * the world, those. The pool may know of one more then, but of none less.
 */
static uint64_t operations_to_find(const struct art_root *root, const char *file)
{
	int64_t acknowledged;

	if (file == NULL)
		return root->completed;
	acknowledged = acknowledged_in(file);
	if (acknowledged == ACKNOWLEDGED_DAMAGED)
		trouble("%s holds no acknowledged operations of this program", file);
	if (root->completed < (uint64_t)acknowledged)
		inconsistent("%ld operations were acknowledged, and the pool knows of %lu", acknowledged, root->completed);
	return (uint64_t)acknowledged;
}

/* The contents must be those after the operations done, or after the one that may have been under way too. */
static void check_contents(const struct walk *walk, struct model *model, const char *acknowledged)
{
	const struct art_root *root = model->root;
	uint64_t done = operations_to_find(root, acknowledged);

	model_advance(model, 0, done);
	if (contents_match(walk, model))
		return;
	if (done < root->target)
		model_advance(model, done, done + 1);
	if (contents_match(walk, model))
		return;
	for (uint64_t index = 0; index < model->indices; index++)
		if (walk->version[index] != model->version[index]) {
			unsigned char key[KEY_SIZE];

			art_key(key, root->choice, index);
			inconsistent("after %lu %s operations key %s has version %lu instead of %lu (0: absent)", done,
					acknowledged == NULL ? "completed" : "acknowledged", key, walk->version[index],
					model->version[index]);
		}
}

static uint64_t check_tree(struct workload *workload)
{
	struct art_root *root = workload->root;
	struct model model;
	struct walk walk = {.model = &model};

	if (root->completed > root->target || (root->target > 0 && (root->sequence.keys == 0 || root->choice > KEYS_ANY)))
		inconsistent("the progress is damaged");
	model_begin(&model, root);
	walk.version = calloc(model.indices + 1, sizeof(uint64_t));
	inspection_begin(&walk.inspection, workload->pop, TOID_TYPE_NUM(var_string));
	if (!TOID_IS_NULL(root->art.root))
		walk_node(&walk, root->art.root.oid, (struct path){{0}, 0});
	if (art_size(workload->pop) != walk.leaves)
		inconsistent("the tree counts %lu leaves, has %lu", art_size(workload->pop), walk.leaves);
	leaves_iterated = 0;
	art_iter(workload->pop, count_leaf, NULL);
	if (leaves_iterated != walk.leaves)
		inconsistent("art_iter reports %lu leaves of %lu", leaves_iterated, walk.leaves);
	if (root->target > 0)
		check_contents(&walk, &model, workload->acknowledged);
	for (uint64_t index = 0; index < model.indices; index++) {
		struct art_operation search = {OPERATION_GET, index};
		struct model found = {.root = root, .version = walk.version};

		perform(workload, &found, &search, 0);
	}
	inspection_end(&walk.inspection);
	free(walk.version);
	free(model.version);
	return walk.leaves;
}

static void check(const char *path, const char *acknowledged)
{
	struct workload workload = {.acknowledged = acknowledged};
	struct sequence sequence;
	uint64_t leaves, completed;

	open_pool(&workload, path, EXIT_INCONSISTENT);
	leaves = check_tree(&workload);
	completed = workload.root->completed;
	if (workload.root->target > 0) {
		/* Continues the workload as the application would. */
		sequence = workload.root->sequence;
		set_target(&workload, &sequence, workload.root->choice, completed + CHECKED_OPERATIONS);
		perform_all(&workload);
		workload.acknowledged = NULL; /* these were not reported */
		check_tree(&workload);
	}
	printf("libart: consistent, %lu leaves after %lu operations\n", leaves, completed);
	pmemobj_close(workload.pop);
}

static void usage(FILE *to)
{
	fprintf(to,
			"usage: art_workload create POOL [--size MEBIBYTES]\n"
			"       art_workload run POOL OPERATIONS [--seed N] [--keys safe|any] [--key-count N]\n"
			"                    [--acknowledge[=yes|no]]\n"
			"       art_workload check POOL [--acknowledged FILE]\n"
			"Exit codes: 0 done, or consistent; 1 inconsistent; 2 wrong usage; 3 could not do its work.\n");
}

static enum key_choice parse_choice(const char *text)
{
	if (strcmp(text, "safe") == 0)
		return KEYS_SAFE;
	if (strcmp(text, "any") == 0)
		return KEYS_ANY;
	fprintf(stderr, "--keys is '%s'; it must be 'safe' or 'any'\n", text);
	exit(EXIT_USAGE);
}

int main(int argc, char **argv)
{
	static const struct option known[] = {{"seed", required_argument, NULL, 's'},
			{"keys", required_argument, NULL, 'k'}, {"key-count", required_argument, NULL, 'c'},
			{"size", required_argument, NULL, 'm'}, {"acknowledge", optional_argument, NULL, 'a'},
			{"acknowledged", required_argument, NULL, 'f'}, {"help", no_argument, NULL, 'h'}, {0}};
	struct sequence sequence = {.seed = 42};
	enum key_choice choice = KEYS_SAFE;
	uint64_t mebibytes = 128;
	bool acknowledge = false;
	const char *acknowledged = NULL;
	int option;

	while ((option = getopt_long(argc, argv, "h", known, NULL)) != -1)
		switch (option) {
		case 's': sequence.seed = parse_number("--seed", optarg, 0); break;
		case 'k': choice = parse_choice(optarg); break;
		case 'c': sequence.keys = parse_number("--key-count", optarg, 1); break;
		case 'm': mebibytes = parse_number("--size", optarg, 8); break;
		case 'a': acknowledge = optarg == NULL || strcmp(optarg, "yes") == 0; break;
		case 'f': acknowledged = optarg[0] == '\0' ? NULL : optarg; break;
		case 'h': usage(stdout); return 0;
		default: usage(stderr); return EXIT_USAGE;
		}
	argv += optind;
	argc -= optind;
	if (argc == 2 && strcmp(argv[0], "create") == 0) {
		create(argv[1], mebibytes);
	} else if (argc == 3 && strcmp(argv[0], "run") == 0) {
		run(argv[1], parse_number("OPERATIONS", argv[2], 1), sequence, choice, acknowledge);
	} else if (argc == 2 && strcmp(argv[0], "check") == 0) {
		check(argv[1], acknowledged);
	} else {
		usage(stderr);
		return EXIT_USAGE;
	}
	return EXIT_CONSISTENT;
}
