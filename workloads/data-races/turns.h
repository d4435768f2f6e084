/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes the order in which threads run, but orders none of their accesses: relaxed atomics synchronise nothing. */
#ifndef TURNS_H
#define TURNS_H

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int turns;

/* Waits until so many turns are over. */
static inline void turn(int number)
{
	while (atomic_load_explicit(&turns, memory_order_relaxed) < number)
		sched_yield();
}

/* Ends a turn. */
static inline void over(void)
{
	atomic_fetch_add_explicit(&turns, 1, memory_order_relaxed);
}

/* Runs two threads to their ends. */
static inline void two(void *(*one)(void *), void *(*other)(void *))
{
	pthread_t first, second;
	pthread_create(&first, NULL, one, NULL);
	pthread_create(&second, NULL, other, NULL);
	pthread_join(first, NULL);
	pthread_join(second, NULL);
}

#endif
