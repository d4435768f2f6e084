/* SPDX-License-Identifier: Apache-2.0 */
/* What a thread did often before it released, it does once more afterwards; and once more after another thread came. */
#include "turns.h"

#include <semaphore.h>

static sem_t ready;
long object __attribute__((aligned(16))), other __attribute__((aligned(16))), seen;

static void set(long *place, long value)
{
	*place = value; /* race 1 hmtrace */
}

static void *maker(void *unused)
{
	for (int i = 0; i < 5; i++) {
		set(&object, i);
		set(&other, i);
	}
#ifndef CORRECT
	sem_post(&ready);
#endif
	set(&object, 5);
	set(&other, 5);
	over();
#ifdef CORRECT
	sem_post(&ready);
#endif
	return unused;
}

static void *user(void *unused)
{
	sem_wait(&ready);
	turn(1);
	seen = object + other; /* race 1 hmtrace */
	return unused;
}

int main(void)
{
	sem_init(&ready, 0, 0);
	two(maker, user);
	return 0;
}
