/* SPDX-License-Identifier: Apache-2.0 */
/* The findings, as lines of JSON in the file that POWERCUT_RACES names, written at once. */
#ifndef RACE_REPORT_H
#define RACE_REPORT_H

#include "threads.h"

struct racing_access {
	uintptr_t address;
	unsigned size;
	unsigned kind; /* of enum access_kind */
	uint32_t where;
	uint32_t locks;
	uint32_t thread, parent, created;
};

struct race {
	const char *detector;
	uintptr_t address; /* the bytes that both use */
	unsigned size;
	bool unconfirmed; /* KARD: the first one is not an access but a key that was held */
	bool freed; /* the second one is no access but free() */
	struct racing_access first, second;
};

/* Opens the file; false = there is none, so that nothing needs to be watched. */
bool report_start(void);
/* The program is over: its memory cannot be read, and nothing is certain (docs/data-races.md). */
void report_without_memory(void);
/* Only the first one of each pair of places in the code is written. */
void report_race(struct thread *me, const struct race *race);
/* What limits the findings of this run, once. */
void report_limit(const char *text);
/* What watches the program, when it is not software alone; or why it cannot. */
void report_backend(const char *name);
void report_unavailable(const char *text);
void report_after_fork(void);

#endif
