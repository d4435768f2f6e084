/* A ledger in persistent memory: a library of small structures, each with its own promise that recovery checks. */
#ifndef LEDGER_H
#define LEDGER_H

#include "composite.h"

#include <emmintrin.h>

#define DAYS 5
#define ENTRIES (3 * DAYS)
#define TOTAL 100
#define MONEY 1000
#define RING_SLOTS 8
#define RING_WINDOW 3
#define KEYS 8
#define PAGE 4096
#define NOWHERE (UINT64_C(1) << 40)

/* A word with a cache line of its own. */
struct cell {
	uint64_t value PM_ALIGNED;
};

/* Entry N is there if count is above N: an amount and the same amount negated. */
struct journal {
	uint64_t count PM_ALIGNED;
	uint64_t calls; /* statistics, which nobody needs after a crash */
	struct cell amounts[ENTRIES];
	struct cell memos[ENTRIES];
};

/* A used account has an owner. The lock means nothing after a crash. */
struct account {
	uint64_t lock PM_ALIGNED;
	uint64_t used;
	struct cell owner;
};

/* One cache line; entries below count are there. */
struct table {
	uint64_t count PM_ALIGNED;
	uint64_t entries[7];
};

struct node {
	uint64_t value PM_ALIGNED;
	uint64_t next; /* its number, or 0 at the end */
};

/* The list that `first` begins has `length` nodes, or one more that is not counted yet. */
struct list {
	uint64_t lock PM_ALIGNED;
	uint64_t first;
	struct cell length;
	struct node nodes[DAYS + 1];
};

/* The selected copy's two words make up TOTAL. */
struct pair {
	struct cell selected;
	struct {
		struct cell low;
		struct cell high;
	} copies[2];
};

/* The selected copy's second word is the first one negated. */
struct quote {
	struct cell selected;
	__m128i copies[2] PM_ALIGNED;
};

/* Larger than a cache line. */
struct profile {
	uint64_t name PM_ALIGNED;
	uint64_t rest[8];
};

struct profiles {
	struct cell count;
	struct profile profiles[DAYS];
};

struct notes {
	struct cell count;
	struct {
		char text[PM_LINE] PM_ALIGNED;
	} notes[DAYS];
};

struct stamps {
	struct cell count;
	struct cell stamps[DAYS];
};

/* Of the slots before head, the last RING_WINDOW hold their numbers from 1. */
struct ring {
	struct cell head;
	struct cell slots[RING_SLOTS];
};

/* Two balances that make up MONEY, and the undo log of a move between them. */
struct bank {
	struct cell undo_entries;
	struct cell undo_from;
	struct cell undo_to;
	struct cell from;
	struct cell to;
};

/* All keys from 1 to KEYS are on one side or on both. */
struct index {
	uint64_t splits PM_ALIGNED;
	uint64_t left[KEYS] PM_ALIGNED;
	uint64_t right[KEYS] PM_ALIGNED;
};

struct config {
	struct cell version;
	struct cell values[DAYS];
};

/* Offsets in the book of the first `used` targets. */
struct chain {
	struct cell used;
	struct cell offsets[DAYS];
	struct cell targets[DAYS];
};

/* A clean ledger has its summary. */
struct closing {
	struct cell clean;
	struct cell summary;
};

struct book {
	struct journal journal;
	struct account accounts[DAYS];
	struct table table;
	struct list list;
	struct pair rates;
	struct pair limits;
	struct quote quote;
	struct profiles profiles;
	struct notes notes;
	struct stamps stamps;
	struct ring ring;
	struct bank bank;
	struct index indexes[DAYS];
	struct config config;
	struct chain chain;
	struct closing closing;
};

/* In a file of its own, persisted by msync(). */
struct archive {
	uint64_t count __attribute__((aligned(PAGE))); /* of pairs of pages */
	struct {
		uint64_t number[2 * PAGE / sizeof(uint64_t)] __attribute__((aligned(PAGE)));
	} pairs[DAYS];
};

void ledger_create(struct book *book);

void journal_deposit(struct journal *journal, uint64_t amount);
void journal_withdraw(struct journal *journal, uint64_t amount);
void journal_transfer(struct journal *journal, uint64_t amount);
void account_open(struct account *account, uint64_t owner);
void table_append(struct table *table, uint64_t entry);
void list_push(struct list *list, uint64_t value);
void rates_set(struct pair *rates, uint64_t low);
void limits_set(struct pair *limits, uint64_t low);
void quote_set(struct quote *quote, uint64_t price);
void profile_save(struct profiles *profiles, uint64_t name);
void note_write(struct notes *notes, const char *text);
void stamp_set(struct stamps *stamps, uint64_t stamp);
void ring_put(struct ring *ring);
void bank_move(struct bank *bank, uint64_t amount);
void index_split(struct index *index);
void config_set(struct config *config, uint64_t value);
void archive_write(struct archive *archive);
void chain_link(struct book *book);
void ledger_close(struct closing *closing, uint64_t total);

/* Recovers, prints what is wrong, and returns how much that is. */
int ledger_check(struct book *book, struct archive *archive);

#endif
