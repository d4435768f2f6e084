/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks that the program allocated: where and by whom. */
#ifndef RACE_OBJECTS_H
#define RACE_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct object {
	uintptr_t address;
	size_t size;
	uint32_t where; /* stack */
	uint32_t thread;
};

void objects_start(void);
void object_allocated(const struct object *object);
/* Returns false if it is none. */
bool object_freed(uintptr_t address, struct object *object);
/* One that the calling thread frees is found until it says NULL. */
void object_leaves(const struct object *object);
/* The object that holds an address. */
bool object_at(uintptr_t address, struct object *object);
void objects_after_fork(void);

#endif
