/* A depot in a libpmemobj pool: a library of small structures, each with its own promise that recovery checks. */
#ifndef DEPOT_H
#define DEPOT_H

#include "composite.h"

#include <libpmemobj.h>

#define ROUNDS 5
#define MONEY 1000
#define WIDTH 100
#define RING_SLOTS 8
#define RING_WINDOW 3
#define TEXT_SIZE 192
#define PICTURE_SIZE 128

enum type { BLOCK = 1, BOX = 2 };

/* A word with a cache line of its own. */
struct cell {
	uint64_t value PM_ALIGNED;
};

/* Items below count are there, and so are their labels. */
struct shelf {
	struct cell count;
	struct cell items[3 * ROUNDS];
	struct cell labels[3 * ROUNDS];
};

/* Make up MONEY. */
struct accounts {
	struct cell from;
	struct cell to;
};

/* From first to last it is always WIDTH. */
struct span {
	struct cell first;
	struct cell last;
};

/* As many events as were counted, at every time. */
struct events {
	struct cell size;
	struct cell counted;
	struct cell events[ROUNDS];
};

/* Texts below count are whole. */
struct texts {
	struct cell count;
	struct {
		char characters[TEXT_SIZE] PM_ALIGNED;
	} texts[ROUNDS];
};

struct pictures {
	struct cell count;
	struct {
		char dots[PICTURE_SIZE] PM_ALIGNED;
	} pictures[ROUNDS];
};

/* What a box holds does not begin where it does, so that it has no cache line in common with the allocator's header. */
struct box {
	uint64_t apart[16];
	uint64_t content;
	uint64_t apart_too[8];
};

struct boxes {
	PMEMoid boxes[ROUNDS];
};

/* Leads to the block or nowhere. The identifier lies in two cache lines. */
struct handle {
	uint64_t before[7] PM_ALIGNED;
	PMEMoid oid;
};

struct blocks {
	PMEMoid current PM_ALIGNED;
};

/* A valid slot has its data. */
struct slot {
	struct cell valid;
	struct cell data;
};

/* One cache line; entries below count are there. */
struct table {
	uint64_t count PM_ALIGNED;
	uint64_t entries[7];
};

/* The value is that of the version, or one further. The first words of the lock are in the value's cache line. */
struct gauge {
	uint64_t before[3] PM_ALIGNED;
	uint64_t value;
	PMEMmutex lock;
	struct cell version;
};

/* Of the slots before head, the last RING_WINDOW hold their numbers from 1. */
struct ring {
	struct cell head;
	struct cell slots[RING_SLOTS];
};

/* Both words are always the same. Their ranges do not touch, or libpmemobj would take them for one. */
struct twins {
	struct cell one;
	struct cell between;
	struct cell other;
};

struct depot {
	struct shelf shelf;
	struct accounts accounts;
	struct span window; /* moved in a transaction */
	struct span spans[2]; /* moved without one */
	struct cell span_selected;
	struct events events;
	struct texts texts;
	struct pictures pictures;
	struct boxes boxes;
	struct handle handles[ROUNDS];
	struct blocks blocks;
	struct slot slots[ROUNDS];
	struct table table;
	struct gauge gauge;
	struct ring ring;
	struct accounts safe;
	struct twins meter;
};

extern const char depot_text[TEXT_SIZE];

void depot_create(PMEMobjpool *pop, struct depot *depot);

void shelf_receive(PMEMobjpool *pop, struct shelf *shelf, uint64_t item);
void shelf_restock(PMEMobjpool *pop, struct shelf *shelf, uint64_t item);
void shelf_return(PMEMobjpool *pop, struct shelf *shelf, uint64_t item);
void accounts_transfer(PMEMobjpool *pop, struct accounts *accounts, uint64_t amount);
void window_move(PMEMobjpool *pop, struct span *window, uint64_t first);
void event_add(PMEMobjpool *pop, struct events *events, uint64_t event);
void text_write(PMEMobjpool *pop, struct texts *texts);
void picture_draw(PMEMobjpool *pop, struct pictures *pictures);
void box_make(PMEMobjpool *pop, PMEMoid *box, uint64_t content);
void handle_set(PMEMobjpool *pop, struct handle *handle, PMEMoid oid);
void block_replace(PMEMobjpool *pop, struct blocks *blocks, uint64_t number);
void slot_publish(PMEMobjpool *pop, struct slot *slot, uint64_t data);
void span_move(PMEMobjpool *pop, struct depot *depot, uint64_t first);
void table_append(PMEMobjpool *pop, struct table *table, uint64_t entry);
void gauge_set(PMEMobjpool *pop, struct gauge *gauge, uint64_t value);
void ring_put(PMEMobjpool *pop, struct ring *ring);
void safe_move(PMEMobjpool *pop, struct accounts *safe, uint64_t amount);
void meter_set(PMEMobjpool *pop, struct twins *meter, uint64_t value);

/* Prints what is wrong, and returns how much that is. */
int depot_check(PMEMobjpool *pop, const struct depot *depot);

#endif
