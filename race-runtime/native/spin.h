/* SPDX-License-Identifier: Apache-2.0 */
/* A lock of the runtime's own: the program's pthread functions are what it watches. */
#ifndef RACE_SPIN_H
#define RACE_SPIN_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

struct spin {
	atomic_uchar held;
};

/* One with a cache line of its own: all threads read what may lie beside it, and would wait for the line each time. */
struct lone_spin {
	_Alignas(64) struct spin spin;
};

/*
 * The program has a handler of signals, which may jump out of what it interrupts: nobody would give the lock back, and what
 * it guards would be half-way. So signals wait as long as a thread has one. Programs without handlers need no system calls.
 */
extern atomic_bool spin_may_be_left;
/* How many locks the thread has for which signals wait. */
extern __thread unsigned spin_kept __attribute__((tls_model("initial-exec")));
void spin_keep(void);
void spin_give_up(void);

/* Signals wait for more than one lock. Returns what spin_done is to be told. */
static inline bool spin_begin(void)
{
	if (!atomic_load_explicit(&spin_may_be_left, memory_order_relaxed))
		return false;
	spin_keep();
	return true;
}

static inline void spin_done(bool kept)
{
	if (kept)
		spin_give_up();
}

static inline void spin_lock(struct spin *spin)
{
	if (__builtin_expect(atomic_load_explicit(&spin_may_be_left, memory_order_relaxed), 0))
		spin_keep();
	for (unsigned tries = 0; atomic_exchange_explicit(&spin->held, 1, memory_order_acquire) != 0; tries++)
		if (tries > 64)
			sched_yield();
}

static inline void spin_unlock(struct spin *spin)
{
	atomic_store_explicit(&spin->held, 0, memory_order_release);
	if (__builtin_expect(spin_kept > 0, 0))
		spin_give_up();
}

#endif
