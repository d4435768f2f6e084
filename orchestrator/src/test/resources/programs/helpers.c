/*
 * Functions that three callers share and that make mistakes themselves: whoever calls them, each is one mistake.
 * "helpers run correct|mistaken DIR", "helpers recover correct|mistaken DIR".
 */
#include "program.h"
#include <string.h>

enum { CALLERS = 3, ROOM = 16 };

struct line {
	uint64_t value;
	uint64_t padding[7];
};

struct record {
	struct line valid, data;
};

struct log {
	struct line count, entries[ROOM];
};

struct pool {
	struct record saved[CALLERS][ROOM], kept[CALLERS][ROOM];
	struct log logs[CALLERS];
};

static struct pool *pool;
static int mistaken;

static void publish(struct record *record)
{
	record->valid.value = 1;
	persist(&record->valid);
}

static void fill(struct record *record, uint64_t value)
{
	record->data.value = value;
	persist(&record->data);
}

/* Calls two functions in the wrong order. */
static void save(struct record *record, uint64_t value)
{
	if (mistaken)
		publish(record);
	fill(record, value);
	if (!mistaken)
		publish(record);
}

/* Stores in the wrong order. */
static void append(struct log *log, uint64_t value)
{
	uint64_t at = log->count.value;
	if (mistaken) {
		log->count.value = at + 1;
		persist(&log->count);
	}
	log->entries[at].value = value;
	persist(&log->entries[at]);
	if (!mistaken) {
		log->count.value = at + 1;
		persist(&log->count);
	}
}

/* Flushes another line than it stores to. */
static void keep(struct record *record, uint64_t value)
{
	record->data.value = value;
	persist(mistaken ? &record->valid : &record->data);
	publish(record);
}

static void first(uint64_t value)
{
	save(&pool->saved[0][value], value);
	append(&pool->logs[0], value);
	keep(&pool->kept[0][value], value);
}

static void second(uint64_t value)
{
	save(&pool->saved[1][value], value);
	append(&pool->logs[1], value);
	keep(&pool->kept[1][value], value);
}

static void third(uint64_t value)
{
	save(&pool->saved[2][value], value);
	append(&pool->logs[2], value);
	keep(&pool->kept[2][value], value);
}

static int check(void)
{
	int broken = 0;
	for (int caller = 0; caller < CALLERS; caller++) {
		for (uint64_t at = 0; at < ROOM; at++) {
			broken |= pool->saved[caller][at].valid.value && pool->saved[caller][at].data.value != at;
			broken |= pool->kept[caller][at].valid.value && pool->kept[caller][at].data.value != at;
		}
		for (uint64_t at = 0; at < pool->logs[caller].count.value; at++)
			broken |= pool->logs[caller].entries[at].value != at + 1;
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
	for (uint64_t value = 1; value < 5; value++) {
		first(value);
		second(value);
		third(value);
	}
	return 0;
}
