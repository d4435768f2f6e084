/*
 * Functions that make a single store and persist it, always or on request, and functions that copy. Whoever calls one too
 * early, or does not request or do what he relies on, makes a mistake of his own, although all of them show in that
 * function, and recovery says the same. "callers run correct|mistaken DIR", "callers recover
 * correct|mistaken DIR".
 */
#include "program.h"
#include <immintrin.h>
#include <string.h>

enum { ROOM = 16 };

struct slot {
	uint64_t valid;
	uint64_t padding[7];
	uint64_t number;
	uint64_t more_padding[7];
};

struct table {
	uint64_t count;
	uint64_t padding[7];
	uint64_t entries[ROOM][8];
};

struct pair {
	uint64_t logged;
	uint64_t padding[7];
	uint64_t low;
	uint64_t other_padding[7];
	uint64_t high;
	uint64_t last_padding[7];
};

struct text {
	uint64_t valid;
	uint64_t padding[7];
	uint64_t words[8];
};

struct pool {
	struct slot slots[3][ROOM];
	struct table first, second;
	struct pair left, right;
	struct slot notes[8][ROOM];
	struct text texts[4][ROOM];
};

static struct pool *pool;
static int mistaken;

static void publish(struct slot *slot)
{
	slot->valid = 1;
	persist(&slot->valid);
}

static void fill(struct slot *slot, uint64_t number)
{
	slot->number = number;
	persist(&slot->number);
}

static void save_early(uint64_t at)
{
	if (mistaken)
		publish(&pool->slots[0][at]);
	fill(&pool->slots[0][at], at + 1);
	if (!mistaken)
		publish(&pool->slots[0][at]);
}

static void save(uint64_t at)
{
	fill(&pool->slots[1][at], at + 1);
	publish(&pool->slots[1][at]);
}

static void save_early_too(uint64_t at)
{
	if (mistaken)
		publish(&pool->slots[2][at]);
	fill(&pool->slots[2][at], at + 1);
	if (!mistaken)
		publish(&pool->slots[2][at]);
}

static void count_up(struct table *table)
{
	table->count++;
	persist(&table->count);
}

static void write_entry(uint64_t *entry, uint64_t number)
{
	*entry = number;
	persist(entry);
}

static void append_early(uint64_t at)
{
	if (mistaken)
		count_up(&pool->first);
	write_entry(pool->first.entries[at], at + 1);
	if (!mistaken)
		count_up(&pool->first);
}

static void append_early_too(uint64_t at)
{
	if (mistaken)
		count_up(&pool->second);
	write_entry(pool->second.entries[at], at + 1);
	if (!mistaken)
		count_up(&pool->second);
}

static void forget(struct pair *pair)
{
	pair->logged = 0;
	persist(&pair->logged);
}

static void change(struct pair *pair, uint64_t number)
{
	write_entry(&pair->logged, 1);
	write_entry(&pair->low, number);
	write_entry(&pair->high, number);
	forget(pair);
}

/* Rolls forward. */
static void complete(struct pair *pair)
{
	write_entry(&pair->high, pair->low);
}

static void recover_left(void)
{
	if (mistaken)
		forget(&pool->left);
	complete(&pool->left);
	if (!mistaken)
		forget(&pool->left);
}

static void recover_right(void)
{
	if (mistaken)
		forget(&pool->right);
	complete(&pool->right);
	if (!mistaken)
		forget(&pool->right);
}

/* Persists if it is told to. */
static void write_to(uint64_t *to, uint64_t value, int now)
{
	*to = value;
	if (now)
		persist(to);
}

static void note_unflushed(uint64_t at)
{
	write_to(&pool->notes[0][at].number, at + 1, !mistaken);
	publish(&pool->notes[0][at]);
}

static void note_unflushed_too(uint64_t at)
{
	write_to(&pool->notes[1][at].number, at + 1, !mistaken);
	publish(&pool->notes[1][at]);
}

/* Three that leave it to their callers to persist. */
static struct {
	size_t bytes;
} statistics;

static void set_by_copy(struct slot *slot, const uint64_t *number)
{
	memcpy(&slot->number, number, sizeof *number);
}

static void set_by_call(struct slot *slot, uint64_t number)
{
	write_to(&slot->number, number, 0);
}

static void set_and_count(void *to, const void *from, size_t size)
{
	memcpy(to, from, size);
	statistics.bytes += size;
}

static void rely(struct slot *slot)
{
	if (!mistaken)
		persist(&slot->number);
	publish(slot);
}

static void note_by_copy(uint64_t number)
{
	set_by_copy(&pool->notes[2][number - 1], &number);
	rely(&pool->notes[2][number - 1]);
}

static void note_by_copy_too(uint64_t number)
{
	set_by_copy(&pool->notes[3][number - 1], &number);
	rely(&pool->notes[3][number - 1]);
}

static void note_by_call(uint64_t number)
{
	set_by_call(&pool->notes[4][number - 1], number);
	rely(&pool->notes[4][number - 1]);
}

static void note_by_call_too(uint64_t number)
{
	set_by_call(&pool->notes[5][number - 1], number);
	rely(&pool->notes[5][number - 1]);
}

static void note_and_count(uint64_t number)
{
	set_and_count(&pool->notes[6][number - 1].number, &number, sizeof number);
	rely(&pool->notes[6][number - 1]);
}

static void note_and_count_too(uint64_t number)
{
	set_and_count(&pool->notes[7][number - 1].number, &number, sizeof number);
	rely(&pool->notes[7][number - 1]);
}

static void copy(uint64_t *to, const uint64_t *from, size_t words)
{
	for (size_t i = 0; i < words; i++)
		to[i] = from[i];
}

static void stream(uint64_t *to, const uint64_t *from, size_t words)
{
	while (words-- > 0)
		_mm_stream_si64((long long *)to++, (long long)*from++);
}

static void finish(struct text *text, uint64_t kind)
{
	text->valid = kind;
	persist(&text->valid);
}

static void copy_unflushed(struct text *text, const uint64_t *words)
{
	copy(text->words, words, 8);
	if (!mistaken)
		persist(text->words);
	finish(text, 1);
}

static void copy_unflushed_too(struct text *text, const uint64_t *words)
{
	copy(text->words, words, 8);
	if (!mistaken)
		persist(text->words);
	finish(text, 2);
}

static void stream_unfenced(struct text *text, const uint64_t *words)
{
	stream(text->words, words, 8);
	if (!mistaken)
		_mm_sfence();
	finish(text, 3);
}

static void stream_unfenced_too(struct text *text, const uint64_t *words)
{
	stream(text->words, words, 8);
	if (!mistaken)
		_mm_sfence();
	finish(text, 4);
}

static int lacks_words(uint64_t at)
{
	int lacks = 0;
	for (int kind = 0; kind < 4; kind++)
		for (int word = 0; word < 8; word++)
			lacks |= pool->texts[kind][at].valid && pool->texts[kind][at].words[word] != at + 1;
	return lacks;
}

static int check(void)
{
	if (pool->left.logged)
		recover_left();
	if (pool->right.logged)
		recover_right();
	int broken = pool->left.low != pool->left.high || pool->right.low != pool->right.high;
	for (uint64_t at = 0; at < ROOM; at++) {
		for (int kind = 0; kind < 3; kind++)
			broken |= pool->slots[kind][at].valid && pool->slots[kind][at].number != at + 1;
		for (int kind = 0; kind < 8; kind++)
			broken |= pool->notes[kind][at].valid && pool->notes[kind][at].number != at + 1;
		broken |= lacks_words(at);
		broken |= at < pool->first.count && pool->first.entries[at][0] != at + 1;
		broken |= at < pool->second.count && pool->second.entries[at][0] != at + 1;
	}
	if (broken)
		puts("something is missing");
	return broken;
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	mistaken = strcmp(argv[2], "mistaken") == 0;
	pool = (struct pool *)map_lines(argv[3], "pool", sizeof *pool / LINE);
	if (strcmp(argv[1], "recover") == 0)
		return check();
	for (uint64_t at = 0; at < 4; at++) {
		save_early(at);
		save(at);
		save_early_too(at);
		append_early(at);
		append_early_too(at);
		uint64_t words[8] = {at + 1, at + 1, at + 1, at + 1, at + 1, at + 1, at + 1, at + 1};
		copy_unflushed(&pool->texts[0][at], words);
		copy_unflushed_too(&pool->texts[1][at], words);
		stream_unfenced(&pool->texts[2][at], words);
		stream_unfenced_too(&pool->texts[3][at], words);
		note_unflushed(at);
		note_unflushed_too(at);
		note_by_copy(at + 1);
		note_by_copy_too(at + 1);
		note_by_call(at + 1);
		note_by_call_too(at + 1);
		note_and_count(at + 1);
		note_and_count_too(at + 1);
		change(&pool->left, at + 1);
		change(&pool->right, at + 1);
	}
	return 0;
}
