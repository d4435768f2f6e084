/*
 * Pairs of numbers that change together, by an undo log; recovery finds everything consistent.
 *   notes run HABIT PMDIR       HABIT: correct; unflushed (a change is never flushed); single (nor that, and there is
 *                               no log, as one number changes, once). Acknowledges each change that is done
 *   notes recover HABIT PMDIR   HABIT: correct; drops (takes back the change before the one under way as well);
 *                               halves (takes back half of the change under way); mute (makes dump fail on what it repairs)
 *   notes dump PMDIR            prints each pair
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LINE 64
#define PAIRS 4
#define CHANGES 6

struct pair {
	_Alignas(LINE) uint64_t left;
	_Alignas(LINE) uint64_t right;
};

struct notes {
	_Alignas(LINE) uint64_t busy;
	_Alignas(LINE) uint64_t index;
	uint64_t left, right; /* of the pair before the change */
	_Alignas(LINE) uint64_t mute;
	struct pair pairs[PAIRS];
};

static void fail(const char *what)
{
	perror(what);
	exit(2);
}

static struct notes *map(const char *directory)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/notes", directory);
	int descriptor = open(path, O_RDWR | O_CREAT, 0644);
	if (descriptor < 0 || ftruncate(descriptor, sizeof(struct notes)) != 0)
		fail(path);
	void *start = mmap(NULL, sizeof(struct notes), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
	if (start == MAP_FAILED)
		fail(path);
	close(descriptor);
	return start;
}

#define PERSIST(p) __asm__ volatile("clwb (%0)\n\tsfence" : : "r"(p) : "memory")

static void set(uint64_t *word, uint64_t value, int flushed)
{
	*(volatile uint64_t *)word = value;
	if (flushed)
		PERSIST(word);
}

__attribute__((noinline)) static void change(struct notes *notes, unsigned number, int flushed, int both)
{
	struct pair *pair = &notes->pairs[number % PAIRS];

	notes->index = number % PAIRS;
	notes->left = pair->left;
	notes->right = pair->right;
	PERSIST(&notes->index);
	if (both)
		set(&notes->busy, 1, 1);
	set(&pair->left, number + 1, flushed);
	if (!both)
		return;
	set(&pair->right, 100 * (number + 1), flushed);
	set(&notes->busy, 0, 1);
}

static int run(const char *habit, struct notes *notes)
{
	int single = strcmp(habit, "single") == 0;
	for (unsigned number = 0; number < (single ? 1 : CHANGES); number++) {
		char line[32];
		int length = snprintf(line, sizeof line, "change %u\n", number + 1);
		change(notes, number, !single && strcmp(habit, "unflushed") != 0, !single);
		if (write(1, line, (size_t)length) != length)
			fail("write");
	}
	return 0;
}

static int recover(const char *habit, struct notes *notes)
{
	if (!notes->busy)
		return 0;
	struct pair *pair = &notes->pairs[notes->index % PAIRS];
	pair->left = notes->left;
	if (strcmp(habit, "halves") != 0)
		pair->right = notes->right;
	if (strcmp(habit, "drops") == 0)
		notes->pairs[(notes->index + PAIRS - 1) % PAIRS] = (struct pair){0};
	notes->mute = strcmp(habit, "mute") == 0;
	notes->busy = 0;
	return 0;
}

static int dump(const struct notes *notes)
{
	for (unsigned i = 0; i < PAIRS; i++)
		printf("%u: %lu %lu\n", i, notes->pairs[i].left, notes->pairs[i].right);
	return notes->mute ? 1 : 0;
}

int main(int argc, char **argv)
{
	if (argc == 4 && strcmp(argv[1], "run") == 0)
		return run(argv[2], map(argv[3]));
	if (argc == 4 && strcmp(argv[1], "recover") == 0)
		return recover(argv[2], map(argv[3]));
	if (argc == 3 && strcmp(argv[1], "dump") == 0)
		return dump(map(argv[2]));
	return 2;
}
