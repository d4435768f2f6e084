/* SPDX-License-Identifier: Apache-2.0 */
#include "noise.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define LONGEST 200000 /* nanoseconds */
#define PAUSES 64 /* after so many they become half as frequent, so that long programs end */

bool with_noise;
static uint64_t seed;

void noise_start(void)
{
	const char *text = getenv("POWERCUT_RACE_SEED");
	seed = text == NULL ? 0 : strtoull(text, NULL, 10);
	with_noise = seed != 0;
}

/* Of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): any two states give unlike numbers. */
static uint64_t draw(struct thread *me)
{
	uint64_t mixed = me->noise += 0x9e3779b97f4a7c15u;
	mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
	mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
	return mixed ^ mixed >> 31;
}

void noise_begin(struct thread *thread)
{
	thread->noise = seed << 32 | thread->number;
	thread->pauses = 0;
}

void noise_pause(struct thread *me, unsigned one_in)
{
	uint64_t number = draw(me);
	unsigned rarer = me->pauses / PAUSES < 31 ? me->pauses / PAUSES : 31;
	if (number % ((uint64_t)one_in << rarer) != 0)
		return;
	me->pauses++;
	number = draw(me);
	if (number % 2 == 0) {
		sched_yield();
		return;
	}
	/* Not the function of the C library: a thread could be cancelled there. */
	struct timespec time = {.tv_nsec = (long)(number / 2 % LONGEST)};
	int error = errno;
	syscall(SYS_nanosleep, &time, NULL);
	errno = error;
}
