/*
 * A shadow copy of pages of three cache lines each, which several lines of code fill, and a root that says which copy
 * is valid. "seal" forgets the flush of a whole page, "sides" those of two pages beside each other, each in a function
 * of its own.
 * "pages run correct|seal|sides DIR", "pages check correct|seal|sides DIR".
 */
#include "program.h"
#include <string.h>

enum { WORDS = 9, ROUNDS = 6 };

struct page {
	uint64_t kind, keys[WORDS], values[WORDS], sum, padding[4];
};

struct copy {
	struct page sealed, gap, left, right, end;
};

struct pool {
	uint64_t current, padding[7];
	struct copy copies[2];
};

static struct pool *pool;
static int forgets_seal, forgets_sides;

static uint64_t sum(const struct page *page)
{
	uint64_t sum = page->kind * 31 + 7;
	for (int i = 0; i < WORDS; i++)
		sum = sum * 1000003 + page->keys[i] * 31 + page->values[i];
	return sum;
}

static void flush(const struct page *page)
{
	for (size_t at = 0; at < sizeof *page; at += LINE)
		__asm__ volatile("clwb (%0)" : : "r"((const char *)page + at) : "memory");
}

static void seal(struct page *page)
{
	page->sum = sum(page);
	if (!forgets_seal)
		flush(page);
}

static void fill(struct page *page, uint64_t value)
{
	page->kind = 1 + value;
	for (uint64_t i = 0; i < WORDS; i++)
		page->keys[i] = value + i;
	for (uint64_t i = 0; i < WORDS; i++)
		page->values[i] = value * i;
	seal(page);
}

static void fill_left(struct page *page, uint64_t value)
{
	page->kind = 2 + value;
	for (uint64_t i = 0; i < WORDS; i++)
		page->keys[i] = value - i;
	page->sum = sum(page);
	if (!forgets_sides)
		flush(page);
}

static void fill_right(struct page *page, uint64_t value)
{
	page->kind = 3 + value;
	for (uint64_t i = 0; i < WORDS; i++)
		page->values[i] = value ^ i;
	page->sum = sum(page);
	if (!forgets_sides)
		flush(page);
}

static void publish(uint64_t round)
{
	struct copy *copy = &pool->copies[round % 2];
	fill(&copy->sealed, round);
	fill_left(&copy->left, round);
	fill_right(&copy->right, round);
	__asm__ volatile("sfence" : : : "memory");
	pool->current = round;
	persist(&pool->current);
}

static int is_whole(const struct page *page, uint64_t kind)
{
	return page->kind == kind && page->sum == sum(page);
}

static int check(void)
{
	uint64_t round = pool->current;
	const struct copy *copy = &pool->copies[round % 2];
	if (round != 0 && !is_whole(&copy->sealed, 1 + round))
		return 3;
	if (round != 0 && !is_whole(&copy->left, 2 + round))
		return 4;
	return round != 0 && !is_whole(&copy->right, 3 + round) ? 5 : 0;
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	forgets_seal = strcmp(argv[2], "seal") == 0;
	forgets_sides = strcmp(argv[2], "sides") == 0;
	pool = (struct pool *)map_lines(argv[3], "pool", sizeof(struct pool) / LINE);
	if (strcmp(argv[1], "check") == 0)
		return check();
	for (uint64_t round = 1; round <= ROUNDS; round++)
		publish(round);
	return 0;
}
