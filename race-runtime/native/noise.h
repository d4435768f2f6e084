/* SPDX-License-Identifier: Apache-2.0 */
/* Pauses of threads, so that runs differ in who comes first. */
#ifndef RACE_NOISE_H
#define RACE_NOISE_H

#include "threads.h"

#define NOISE_ACCESS 256 /* one of so many accesses is a place to pause */
#define NOISE_SYNC 4 /* ... and one of so many synchronisations */

/* Whether POWERCUT_RACE_SEED is a number above 0. */
extern bool with_noise;

void noise_start(void);
/* Where and for how long a thread pauses depends on the seed, its number and what it did before, and on nothing else. */
void noise_begin(struct thread *thread);
void noise_pause(struct thread *me, unsigned one_in);

static inline void noise(struct thread *me, unsigned one_in)
{
	if (__builtin_expect(with_noise, 0))
		noise_pause(me, one_in);
}

#endif
