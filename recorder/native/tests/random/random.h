/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of the random programs share.
 *
 * An actor is a thread or a process that does operations chosen by its seed. Before each it stores the operation's
 * number to the file `marker`, and it logs what the recorder must have seen of it: so the log says what the trace holds
 * between two markers.
 */
#ifndef RANDOM_H
#define RANDOM_H

#include "../pm.h"

#define PAGE 4096L
#define POOL (8 * PAGE) /* the file that all actors share */
#define CROWD (3 * PAGE) /* from here on in it they meet: what one stores, others store over, write over and punch */
#define CROWD_SIZE 640L
#define OWN (6 * PAGE) /* most that an actor's own file holds, by its own will */
#define ACTORS 12 /* slots of the marker; a child forked by an operation has one of its own */
#define CHECKPOINT_SLOT 63 /* of the marker */
#define MOST_MAPS 24
#define LOG_ENTRIES 8192

/* Kinds of entries of the log; check.py knows them by number. */
enum {
	OPERATION, /* extra: its number; flags: which, by its place in the table */
	STORED, /* exactly these bytes, each once; flags of the trace */
	ELEMENTS, /* a string instruction: elements of `extra` bytes; flags 1: backwards */
	COPIED, /* these bytes by ordinary stores, maybe some of them twice */
	KERNEL, /* a system call stored these, and maybe up to `extra` bytes from their beginning */
	FLUSHED, /* the line at offset; flags: the instruction */
	FENCED, /* flags: the instruction */
	SYNCED, /* flags: the kind; extra: the error */
	WRITTEN, /* through a descriptor; flags of the trace */
	ANYTHING, /* what this operation stores is only known by its effect */
	CHOICE /* which of several things it does; extra: the number */
};

/* Files that the log names: what it does to others is known by its effect only. */
enum { VOLATILE_MEMORY = -2, ANY_FILE = -1, THE_POOL = 0, FIRST_OWN = 1 };

typedef struct {
	uint8_t kind, flags;
	int16_t file;
	uint32_t extra;
	int64_t offset;
	int64_t size;
} Entry;

/* Shared memory of all processes; nobody else writes to an actor's log. */
typedef struct {
	long count;
	Entry entries[LOG_ENTRIES];
} Log;

typedef struct {
	char *start;
	long size;
	int file;
	long offset;
	int own; /* by its actor, who may unmap it */
} Map;

typedef struct {
	uint64_t state;
	int number; /* its slot */
	long operation; /* number of the current one */
	Map maps[MOST_MAPS];
	int map_count;
	char *private_map; /* of the pool: no PM */
	int pool;
	int pool_durable; /* the same file, opened with O_DSYNC */
	int pool_append;
	int source; /* an ordinary file to read from */
	int own;
	int own_file; /* its number in the log */
	int go[2], done[2]; /* pipes: how many operations are to be done; that they are */
	int children; /* that it may still fork by itself */
	unsigned long handing_in; /* context of io_submit */
	pid_t handing_in_of; /* the process whose it is */
} Actor;

extern Log *logs; /* by slot */
extern volatile uint64_t *marker;
extern int stacks_in_pm; /* this seed has them */
extern int alone; /* one actor: what it put into PM stays there */

/* A call that may fail, since what it is given may overlap what it stores. */
#define TRY(call) ((void)!(call))

/* main.c */
uint64_t next(Actor *a);
long below(Actor *a, long limit);
/* The same, and the log has it: which of the operation's variants is done. */
long pick(Actor *a, long limit);
int chance(Actor *a, int percent);
void fill(Actor *a, char *to, long size);
/* A place in mapped PM with room for `size` bytes. */
char *spot(Actor *a, long size, long alignment);
/* An offset in the pool, below the limit. */
long pool_offset(Actor *a, long limit);
/* A spot that may begin before a mapping or end after it. */
char *spot_at_edge(Actor *a, long size);
void operate(Actor *a, int number_of_operations);
void own_name(int slot, char *name, size_t size);

/* The log */
void expect(Actor *a, int kind, int flags, int file, long offset, long size, long extra);
/* What lies at an address, mapping by mapping. */
void expect_at(Actor *a, int kind, int flags, const void *address, long size, long extra);
void expect_anything(Actor *a);

/* mappings.c */
void add_map(Actor *a, char *start, long size, int file, long offset, int own);
void cut_maps(Actor *a, char *start, long size);
/* How much of the mapping may be touched. */
long usable(Actor *a, const Map *map);
long own_size(const Actor *a);

/* The operations; files of the same names hold them. */
void op_plain(Actor *a);
void op_edge(Actor *a);
void op_vector(Actor *a);
void op_wide_vector(Actor *a);
void op_masked(Actor *a);
void op_past_cache(Actor *a);
void op_x87(Actor *a);
void op_save_state(Actor *a);
void op_locked(Actor *a);
void op_string(Actor *a);
void op_library(Actor *a);
void op_flush(Actor *a);
void op_fence(Actor *a);
void op_private(Actor *a);
void op_stack(Actor *a);

void op_read(Actor *a);
void op_receive(Actor *a);
void op_status(Actor *a);
void op_wait(Actor *a);
void op_memory(Actor *a);
void op_offsets(Actor *a);
void op_handed_in(Actor *a);
void op_fails(Actor *a);

void op_write(Actor *a);
void op_write_own(Actor *a);
void op_transfer(Actor *a);
void op_resize(Actor *a);
void op_names(Actor *a);
void op_directories(Actor *a);
void op_sync(Actor *a);

void op_map(Actor *a);
void op_unmap(Actor *a);
void op_remap(Actor *a);
void op_advise(Actor *a);
void op_fork(Actor *a);
void op_signal(Actor *a);

#endif
