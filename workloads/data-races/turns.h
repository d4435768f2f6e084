/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes the order in which threads run, but orders none of their accesses: relaxed atomics synchronise nothing. */
#ifndef TURNS_H
#define TURNS_H

#include <pthread.h>
#include <sched.h>
#ifndef __cplusplus
#include <stdatomic.h>
#endif
#include <stddef.h>

static int turns;

/* Waits until so many turns are over. */
static inline void turn(int number)
{
	while (__atomic_load_n(&turns, __ATOMIC_RELAXED) < number)
		sched_yield();
}

/* Ends a turn. */
static inline void over(void)
{
	__atomic_fetch_add(&turns, 1, __ATOMIC_RELAXED);
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
