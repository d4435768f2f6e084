/*
 * A post office whose clerks work by helpers that do a little more than they say: one stores, persists and counts, one
 * stores and counts, one writes to a file and checks that. What is wrong is what the clerks call, not what these do.
 */
#include "composite.h"

#include <fcntl.h>

#define ROUNDS 64
#define CLERKS 4
#define SHELVES 3

struct slot {
	uint64_t value PM_ALIGNED;
};

struct clerk {
	struct slot seal;
	struct slot list[ROUNDS];
};

struct shelf {
	struct slot things[ROUNDS];
	struct slot full[ROUNDS];
};

struct post {
	struct clerk clerks[CLERKS];
	struct shelf shelves[SHELVES];
};

#define RECORD 4096
#define BOOKS 2

struct book {
	uint64_t count;
	uint64_t entries[ROUNDS];
};

static struct {
	uint64_t stores, flushes, writes;
} statistics;
static const uint64_t *bag[CLERKS];
static unsigned bagged;
static int books;

static void __attribute__((noinline)) stamp(uint64_t *to, uint64_t value)
{
	*to = value;
	statistics.stores++;
	pm_clflushopt(to);
	statistics.flushes++;
	pm_sfence();
}

static void __attribute__((noinline)) drop(uint64_t *to, uint64_t value, int later)
{
	statistics.stores++;
	*to = value;
	if (later)
		bag[bagged++] = to;
}

static void __attribute__((noinline)) carry(int fence)
{
	while (bagged > 0)
		pm_clflushopt(bag[--bagged]);
	if (fence)
		pm_sfence();
}

static void __attribute__((noinline)) enter(const void *from, size_t size, off_t at)
{
	statistics.writes++;
	if (pwrite(books, from, size, at) != (ssize_t)size)
		abort();
}

static void __attribute__((noinline)) close_books(void)
{
	if (fdatasync(books) != 0)
		abort();
}

/* An entry is in a list before the seal counts it. */
static void letters(struct clerk *clerk, uint64_t round)
{
	if (!FIXED(1))
		stamp(&clerk->seal.value, round + 1); /* AT letters-seal */
	stamp(&clerk->list[round].value, round + 5);
	if (FIXED(1))
		stamp(&clerk->seal.value, round + 1);
	pm_compiler_barrier();
}

static void parcels(struct clerk *clerk, uint64_t round)
{
	if (!FIXED(2) && round == 37)
		stamp(&clerk->seal.value, round + 1); /* AT parcels-seal */
	stamp(&clerk->list[round].value, round + 5);
	stamp(&clerk->seal.value, round + 1);
	pm_compiler_barrier();
}

static void cards(struct clerk *clerk, uint64_t round)
{
	drop(&clerk->list[round].value, round + 5, FIXED(3) || round != 21); /* AT cards-entry */
	carry(1);
	stamp(&clerk->seal.value, round + 1);
	pm_compiler_barrier();
}

static void telegrams(struct clerk *clerk, uint64_t round)
{
	drop(&clerk->list[round].value, round + 5, 1); /* AT telegrams-entry */
	carry(FIXED(4) || round != 50);
	stamp(&clerk->seal.value, round + 1);
	pm_compiler_barrier();
}

/* Each shelf has a way of its own. */
static void __attribute__((noinline)) shelve(struct shelf *shelf, int way, uint64_t round)
{
	uint64_t *thing = &shelf->things[round].value;
	if (way == 0) {
		*thing = 11; /* AT shelve-first */
		pm_clflushopt(thing);
		if (FIXED(5))
			pm_sfence();
	} else if (way == 1) {
		*thing = 22; /* AT shelve-second */
		pm_clflushopt(thing);
		if (FIXED(6))
			pm_sfence();
	} else {
		*thing = 33; /* AT shelve-third */
		pm_clflushopt(thing);
		if (FIXED(7))
			pm_sfence();
	}
}

static void book_letters(const struct book *book)
{
	enter(&book->entries[book->count - 1], 8, 8 * (off_t)book->count); /* AT book-letters */
	if (FIXED(8))
		close_books();
	enter(&book->count, 8, 0);
	close_books();
}

static void book_parcels(const struct book *book)
{
	enter(&book->entries[book->count - 1], 8, RECORD + 8 * (off_t)book->count); /* AT book-parcels */
	if (FIXED(9))
		close_books();
	enter(&book->count, 8, RECORD);
	close_books();
}

static void run(struct post *post)
{
	struct book kept[BOOKS] = {0};
	for (uint64_t round = 0; round < ROUNDS; round++) {
		letters(&post->clerks[0], round);
		parcels(&post->clerks[1], round);
		cards(&post->clerks[2], round);
		telegrams(&post->clerks[3], round);
		for (int way = 0; way < SHELVES; way++) {
			shelve(&post->shelves[way], way, round);
			stamp(&post->shelves[way].full[round].value, 1);
		}
		for (int book = 0; book < BOOKS; book++)
			kept[book].entries[kept[book].count++] = round + 100;
		book_letters(&kept[0]);
		book_parcels(&kept[1]);
	}
}

static int check(const struct post *post)
{
	int broken = 0;
	for (int clerk = 0; clerk < CLERKS; clerk++)
		for (uint64_t round = 0; round < post->clerks[clerk].seal.value && round < ROUNDS; round++)
			broken |= post->clerks[clerk].list[round].value != round + 5;
	for (int way = 0; way < SHELVES; way++)
		for (uint64_t round = 0; round < ROUNDS; round++)
			broken |= post->shelves[way].full[round].value &&
					post->shelves[way].things[round].value != 11 * ((uint64_t)way + 1);
	for (int book = 0; book < BOOKS; book++) {
		struct book kept = {0};
		if (pread(books, &kept, sizeof kept, book * RECORD) < 0)
			abort();
		for (uint64_t entry = 0; entry < kept.count && entry < ROUNDS; entry++)
			broken |= kept.entries[entry] != entry + 100;
	}
	if (broken)
		puts("inconsistent: the post office is not what it should be");
	return broken;
}

int main(int argc, char **argv)
{
	char path[4096];
	if (argc != 3)
		return pm_usage(argv[0]);
	snprintf(path, sizeof path, "%s/books", argv[2]);
	books = open(path, O_RDWR | O_CREAT, 0644);
	struct post *post = pm_map(argv[2], "post", sizeof *post, strcmp(argv[1], "create") == 0);
	if (strcmp(argv[1], "create") == 0 && ftruncate(books, BOOKS * RECORD) != 0)
		abort();
	if (strcmp(argv[1], "check") == 0)
		return check(post);
	if (strcmp(argv[1], "run") == 0)
		run(post);
	pm_leave();
	return 0;
}
