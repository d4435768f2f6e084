/* SPDX-License-Identifier: Apache-2.0 */
/* What threads synchronise over: what happened before whoever acquires it. Objects are told apart by address. */
#ifndef RACE_SYNCS_H
#define RACE_SYNCS_H

#include "clocks.h"

#include <stdbool.h>
#include <stdint.h>

struct thread;

struct sync {
	uintptr_t address;
	struct sync *next;
	struct clock clock;
	struct clock readers; /* released in shared mode: only a writer acquires it */
};

void syncs_start(void);
/* The object at an address, which no other thread uses until sync_close; NULL only if !create. */
struct sync *sync_open(uintptr_t address, bool create);
void sync_close(uintptr_t address);

/* What was released at the object happened before, also without edges of library calls. */
void sync_join(struct thread *me, const void *object);

/* Each of these opens and closes it. A release ends the thread's segment. */
void sync_acquire(struct thread *me, const void *object);
void sync_acquire_exclusive(struct thread *me, const void *object); /* readers too */
/* Adds to what was released before (barriers, semaphores), or stands instead of it (mutexes). */
void sync_release(struct thread *me, const void *object);
void sync_release_only(struct thread *me, const void *object);
void sync_release_shared(struct thread *me, const void *object);
void sync_forget(const void *object);
void syncs_after_fork(void);

#endif
