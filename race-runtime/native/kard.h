/* SPDX-License-Identifier: Apache-2.0 */
/*
 * KARD's algorithm 1 in software: an object that is used in a critical section has a key. While a thread holds it in its
 * section, an access of another thread that does not fit is a race.
 */
#ifndef RACE_KARD_H
#define RACE_KARD_H

#include "detector.h"
#include "kard_objects.h"

void kard_start(void);
/* The thread has taken a lock; where: the stack of the call, which tells sections apart. */
void kard_enter(struct thread *me, uint32_t where);
/* The thread is about to give a lock back. */
void kard_exit(struct thread *me);
/* The block ends. */
void kard_free(uintptr_t address, size_t size);
void kard_after_fork(struct thread *me);

/* Whether only it is told of accesses, and each of them at once. */
extern bool kard_is_alone;

/* Whether an access concerns nothing but KARD, and KARD not either: outside of sections only shared objects matter. */
static inline __attribute__((always_inline)) bool kard_ignores(uintptr_t address)
{
	if (__builtin_expect(!kard_is_alone, 1))
		return false;
	const struct thread *me = self;
	return me != NULL && me->sections == 0 && kard_is_apart(address);
}

/* Whether the thread is in a critical section. */
bool kard_is_inside(const struct thread *me);
/* Whether the thread has the key of the object at an address, whose number this sets. */
bool kard_permits(struct thread *me, uintptr_t address, bool writes, unsigned *key);

#endif
