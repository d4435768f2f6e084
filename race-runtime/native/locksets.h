/* SPDX-License-Identifier: Apache-2.0 */
/* The locks that a thread holds, and sets of them as numbers that stay for ever. */
#ifndef RACE_LOCKSETS_H
#define RACE_LOCKSETS_H

#include "threads.h"

#define LOCKSET_NONE 0

void locksets_start(void);
void lock_acquired(struct thread *me, const void *lock, enum lock_mode mode, uint32_t where);
/* Returns the mode in which it was held, 0 = it was not, or is held still since it was taken several times. */
unsigned lock_released(struct thread *me, const void *lock);
uint32_t lockset_renew(struct thread *me);

/* The locks that the thread holds now. */
static inline uint32_t lockset_of(struct thread *me)
{
	return me->lockset_stale ? lockset_renew(me) : me->lockset;
}

/* HMTRace's lockset analysis of two accesses (section 4.1). */
enum lockset_state { LOCKSET_INCONCLUSIVE, LOCKSET_EXCLUSIVE, LOCKSET_SHARED };
enum lockset_state lockset_compare(uint32_t one, uint32_t other);
unsigned lockset_size(uint32_t set);
uintptr_t lockset_lock(uint32_t set, unsigned index, enum lock_mode *mode);
void locksets_after_fork(void);

#endif
