/* SPDX-License-Identifier: Apache-2.0 */
/* The program's files of code: where they are, and which of them were compiled with hooks. */
#ifndef RACE_MODULES_H
#define RACE_MODULES_H

#include <stdbool.h>
#include <stdint.h>

struct module {
	const char *path;
	uintptr_t base; /* what addresses in its symbol table are relative to */
	uintptr_t low, high;
	bool watched; /* its accesses are known */
	bool listed; /* the report has named it */
};

/* A module of a recording, which has all of its accesses; the path stays. */
void module_add(const char *path, uintptr_t base, uintptr_t low, uintptr_t high);
/* Looks for modules that were loaded since. Call it without holding any lock of the runtime. */
void modules_refresh(void);
/* The module that holds an address: its number, -1 = none that is known. */
int module_of(uintptr_t address);
bool module_is(int number);
struct module *module_get(int number);
/* From its constructor: the module that holds this address has hooks. */
void module_watch(uintptr_t address);
/* Whether a call that returns to this address comes from code with hooks. */
bool is_watched_code(uintptr_t address);
void modules_after_fork(void);

#endif
