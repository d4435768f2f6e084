/* SPDX-License-Identifier: Apache-2.0 */
/* The order that atomic operations give. */
#ifndef RACE_ATOMICS_H
#define RACE_ATOMICS_H

#include "detector.h"
#include "syncs.h"

#include <stdbool.h>

struct atomic_step {
	struct thread *me; /* NULL = not watched */
	struct sync *sync; /* open until the end; NULL = none is needed */
	uintptr_t address;
	bool is_store, is_change; /* a plain store, or a read-modify-write */
	int order; /* of enum memory_order */
};

enum atomic_kind { ATOMIC_LOAD, ATOMIC_STORE, ATOMIC_CHANGE };

/* The operation itself is between these two, so that what it finds agrees with what it acquires. */
struct atomic_step atomic_begin(const volatile void *address, size_t size, enum atomic_kind kind, int order,
		struct site site);
/* order: what applies, since a compare-exchange that fails is a load with an order of its own. */
void atomic_end(struct atomic_step *step, int order, bool stored);

void atomic_fence(int order);

#endif
