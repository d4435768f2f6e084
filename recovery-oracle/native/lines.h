/* SPDX-License-Identifier: Apache-2.0 */
/* The lines that are watched, and what is known of each. The caller's file holds them, and gets the answers. */
#ifndef READS_LINES_H
#define READS_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#define LINE 64
#define PAGE 4096
#define LINES_OF_PAGE (PAGE / LINE)

/* After so many accesses, and some more for each of its lines, a page's other lines count as read, and after so many to
 * all pages those of each further page that is accessed: a trap takes 10 us, and a busy page has thousands. */
#define MOST_TRAPS 2048
#define MOST_TRAPS_OF_LINE 16
#define MOST_TRAPS_OF_ALL 4096

/* The file: a header, then the lines. All numbers are those of the machine. */
#define LINES_MAGIC 0x3453444145524350 /* "PCREADS4" */
struct lines_header {
	uint64_t magic;
	uint32_t count;
	uint32_t followed; /* commands, one after the other, that are over and of which all is said that they read */
	uint32_t traps; /* the most of a page and of all; 0 = the usual ones */
	uint32_t room; /* for nodes, behind the lines; 0 = what is computed from bytes is not followed */
	uint32_t nodes; /* that there are */
	uint32_t wrong; /* instructions that did not do what was expected */
	uint32_t busy; /* pages with more accesses than that */
	char reason[220]; /* why it is not known */
};
struct line {
	uint64_t device;
	uint64_t inode;
	uint64_t offset; /* a multiple of LINE */
	uint64_t bytes; /* a bit for each byte that is watched */
	uint64_t read; /* those of them that were read, or may have been */
	uint64_t turn; /* lines that were read before it, and itself; 0 = it was not read */
	uint64_t traps; /* accesses to its page while that was watched */
};

/* Something that a program computed from watched bytes, or a condition on it. Nodes are numbered from 1. */
enum node_kind {
	CONSTANT, /* value */
	BYTES, /* size bytes of line left from at on; of the value only those with bits in right, as it was else */
	ADDITION,
	SUBTRACTION,
	CONJUNCTION,
	DISJUNCTION,
	EXCLUSIVE,
	PRODUCT,
	SHIFT_LEFT, /* by at */
	SHIFT_RIGHT, /* by at */
	SIGN, /* extended from size bytes */
	CONDITION_SUBTRACTION, /* on the flags of left - right, as code at of conditional jumps; size bytes; value = held */
	CONDITION_ADDITION,
	CONDITION_LOGIC /* on the flags of left */
};
struct node {
	uint8_t kind;
	uint8_t at;
	uint8_t size;
	uint8_t unused;
	uint32_t left;
	uint32_t right;
	uint32_t unused_too;
	uint64_t value; /* that it had */
};

/* A page of a file with lines that are watched. */
struct page {
	uint64_t device;
	uint64_t inode;
	uint64_t number;
	struct line *lines[LINES_OF_PAGE]; /* NULL = not watched */
	uint64_t stored[LINES_OF_PAGE]; /* a bit for each byte that was overwritten */
	unsigned unsettled; /* lines with bytes of which it is open whether they are read: neither read nor overwritten */
	unsigned traps;
	unsigned most_traps;
	uint8_t *view; /* where the watcher has mapped it; NULL = nowhere */
	bool is_view_writable;
};

/* Maps the file; ends the program with a message when it is not what it should be. */
void lines_open(const char *path);
/* The watched pages of a file from this one on: the first of *count in a row, NULL = none. */
struct page *lines_pages(uint64_t device, uint64_t inode, uint64_t number, size_t *count);
bool lines_is_watched(const struct stat *file);
/* Whether all is known of it. */
bool lines_is_open(const struct page *page);
/* Bytes of the page that were read; those that were overwritten before do not count. */
void lines_read(struct page *page, unsigned from, unsigned size);
void lines_stored(struct page *page, unsigned from, unsigned size);
void lines_all_read(struct page *page);
/*
 * Bytes of one line are loaded that do not count as read yet: a bit for each that still may, the lowest for the first.
 * The number of the line.
 */
uint64_t lines_loaded(struct page *page, unsigned from, unsigned size, uint32_t *line);
/* Bytes of a line count as read after all. */
void lines_are_read(uint32_t line, unsigned from, uint64_t bytes);
/* Zero when there is no room. */
uint32_t lines_node(struct node node);
struct node *lines_node_at(uint32_t number);
uint32_t lines_node_count(void);
/* Whether what is computed is followed: in the first command only, for later ones the files are no longer the image. */
bool lines_is_followed(void);
bool lines_is_busy(struct page *page);
void lines_wrong(void);
/* Bytes of a file that a system call read. */
void lines_file_read(uint64_t device, uint64_t inode, uint64_t from, uint64_t size);
/* Everything counts as read, since something happened that cannot be followed. */
void lines_give_up(const char *reason);
void lines_known(void);

#endif
