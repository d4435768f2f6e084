/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of a process: where pages with watched lines are mapped, and which of them are closed. */
#ifndef READS_SPACE_H
#define READS_SPACE_H

#include "lines.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mapped {
	uint64_t address;
	struct page *page;
	int protection; /* what the program asked for */
	bool is_shared;
	bool is_closed;
};

/* Filters cannot be removed again, and each one slows all calls down. */
enum { MOST_FILTERED = 16 };

struct space {
	unsigned tasks; /* that share it */
	uint64_t system_call; /* the address of such an instruction; 0 = none is known yet */
	struct mapped *mapped; /* sorted by address */
	size_t count;
	size_t room;
	struct { /* calls stop whose arguments point there */
		uint64_t from;
		uint64_t end;
	} filtered[MOST_FILTERED];
	unsigned filtered_count;
};

struct space *space_new(void);
/* What a program has that another one executes: no memory, but the filters. */
struct space *space_executing(const struct space *space);
struct space *space_copy(const struct space *space);
void space_leave(struct space *space);
/* The first one whose page ends after the address; space->mapped + space->count when there is none. */
struct mapped *space_from(const struct space *space, uint64_t address);
struct mapped *space_at(const struct space *space, uint64_t address);
void space_add(struct space *space, struct mapped mapped);
void space_remove(struct space *space, uint64_t address, uint64_t size);
/* Bytes that are read, and bytes that are overwritten, in whatever files they are. */
void space_read(struct space *space, uint64_t address, uint64_t size);
void space_stored(struct space *space, uint64_t address, uint64_t size);

#endif
