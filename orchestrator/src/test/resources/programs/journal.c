/*
 * journal run|check HABIT DIRECTORY [ACKNOWLEDGED]
 *
 * A journal of notes with checksums, batches of rows that a count publishes, and nodes that refer
 * to one another. One mistake is seen at two places each:
 *
 *   answered  a note is acknowledged before the fence: its text may be lost, or its checksum
 *   batched   the count lacks a fence before it, for what two functions stored
 *   cut       a node is gone before those that refer to it are cut off, one by one
 *   correct   no mistake
 */
#include <fcntl.h>
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { NOTES = 6, BATCHES = 4, NODES = 8 };

struct note {
	_Alignas(64) uint64_t text[7];
	_Alignas(64) uint64_t sum;
};

struct batch {
	_Alignas(64) uint64_t length;
	_Alignas(64) uint64_t rows[8];
};

struct node {
	_Alignas(64) uint64_t is_there;
	uint64_t next; /* 0 or the number of a node */
};

struct pool {
	struct note notes[NOTES];
	_Alignas(64) uint64_t count;
	struct batch batches[BATCHES];
	struct node nodes[NODES + 1];
};

static struct pool *pool;
static const char *habit;

static int is(const char *name)
{
	return strcmp(habit, name) == 0;
}

static inline void flush(const void *from, size_t bytes)
{
	for (uintptr_t at = (uintptr_t)from & ~63ul; at < (uintptr_t)from + bytes; at += 64)
		_mm_clwb((void *)at);
}

static inline uint64_t sum(const uint64_t *words, int n)
{
	uint64_t all = 17;
	for (int i = 0; i < n; i++)
		all = all * 31 + words[i];
	return ~all;
}

static inline uint64_t sum_of(const struct note *note)
{
	return sum(note->text, 7);
}

static void answer(int n)
{
	char line[16];
	int length = snprintf(line, sizeof line, "%d\n", n);
	if (write(1, line, (size_t)length) != length)
		exit(2);
}

static void write_note(int n)
{
	struct note *note = &pool->notes[n - 1];
	uint64_t text[7];
	for (int i = 0; i < 7; i++)
		text[i] = (uint64_t)n * 100 + (uint64_t)i;
	memcpy(note->text, text, sizeof text);
	note->sum = sum_of(note);
	flush(note, sizeof *note);
	if (is("answered"))
		answer(n);
	_mm_sfence();
	if (!is("answered"))
		answer(n);
}

__attribute__((noinline)) static void copy_rows(uint64_t *to, const uint64_t *rows, int n)
{
	for (int i = 0; i < n; i++)
		to[i] = rows[i];
	flush(to, (size_t)n * 8);
}

static void publish(void)
{
	pool->count++;
	flush(&pool->count, 8);
	_mm_sfence();
}

static void add_batch(int n)
{
	uint64_t rows[8];
	for (int i = 0; i < 8; i++)
		rows[i] = (uint64_t)n * 1000 + (uint64_t)i;
	struct batch *batch = &pool->batches[n];
	batch->length = 8;
	flush(&batch->length, 8);
	copy_rows(batch->rows, rows, 8);
	if (!is("batched"))
		_mm_sfence();
	publish();
}

static void add_node(uint64_t n, uint64_t next)
{
	pool->nodes[n].next = next;
	pool->nodes[n].is_there = 1;
	flush(&pool->nodes[n], sizeof pool->nodes[n]);
	_mm_sfence();
}

__attribute__((noinline)) static void cut_off(uint64_t n)
{
	for (uint64_t i = 1; i <= NODES; i++)
		if (pool->nodes[i].is_there && pool->nodes[i].next == n) {
			pool->nodes[i].next = 0;
			flush(&pool->nodes[i].next, 8);
			_mm_sfence();
		}
}

__attribute__((noinline)) static void remove_node(uint64_t n)
{
	if (!is("cut"))
		cut_off(n);
	pool->nodes[n].is_there = 0;
	flush(&pool->nodes[n].is_there, 8);
	_mm_sfence();
	if (is("cut"))
		cut_off(n);
}

/* One node after another is removed: its failure points are those of the others. */
__attribute__((noinline)) static void remove_and_work(uint64_t n)
{
	remove_node(n);
	if (n != 1)
		return;
	for (int i = 1; i <= NOTES; i++)
		write_note(i);
	for (int i = 0; i < BATCHES; i++)
		add_batch(i);
}

static void run(void)
{
	for (uint64_t n = 1; n <= NODES; n++)
		add_node(n, n == 1 || n == 5 ? 0 : n < 5 ? 1 : 5);
	/* Nobody refers to the first, three to the second, two to the last. */
	static volatile uint64_t removed[] = {8, 1, 5, 0};
	for (volatile uint64_t *n = removed; *n != 0; n++)
		remove_and_work(*n);
}

static int check(const char *acknowledged)
{
	int answered = 0;
	FILE *said = fopen(acknowledged, "r");
	while (said != NULL && fscanf(said, "%d", &answered) == 1)
		;
	for (int n = 0; n < answered; n++)
		if (pool->notes[n].sum != sum_of(&pool->notes[n]))
			return printf("note %d is lost\n", n + 1), 3;
	for (uint64_t n = 0; n < pool->count; n++) {
		const struct batch *batch = &pool->batches[n];
		for (uint64_t i = 0; i < 8; i++)
			if (batch->length != 8 || batch->rows[i] != n * 1000 + i)
				return printf("batch %lu is damaged\n", n), 4;
	}
	for (int n = 1; n <= NODES; n++)
		if (pool->nodes[n].is_there && pool->nodes[n].next != 0 && !pool->nodes[pool->nodes[n].next].is_there)
			return printf("node %d refers to none\n", n), 5;
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 4 || chdir(argv[3]) != 0)
		return 2;
	habit = argv[2];
	int file = open("pool", O_RDWR | O_CREAT, 0600);
	if (file < 0 || ftruncate(file, sizeof *pool) != 0)
		return 2;
	pool = mmap(NULL, sizeof *pool, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (pool == MAP_FAILED)
		return 2;
	if (strcmp(argv[1], "check") == 0)
		return check(argv[4]);
	run();
	return 0;
}
