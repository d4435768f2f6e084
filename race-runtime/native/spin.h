/* SPDX-License-Identifier: Apache-2.0 */
/* A lock of the runtime's own: the program's pthread functions are what it watches. */
#ifndef RACE_SPIN_H
#define RACE_SPIN_H

#include <sched.h>
#include <stdatomic.h>

struct spin {
	atomic_uchar held;
};

/* One with a cache line of its own: all threads read what may lie beside it, and would wait for the line each time. */
struct lone_spin {
	_Alignas(64) struct spin spin;
};

static inline void spin_lock(struct spin *spin)
{
	for (unsigned tries = 0; atomic_exchange_explicit(&spin->held, 1, memory_order_acquire) != 0; tries++)
		if (tries > 64)
			sched_yield();
}

static inline void spin_unlock(struct spin *spin)
{
	atomic_store_explicit(&spin->held, 0, memory_order_release);
}

#endif
