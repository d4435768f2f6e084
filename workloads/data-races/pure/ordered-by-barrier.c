/* SPDX-License-Identifier: Apache-2.0 */
/* A barrier orders the two: no race. HMTRace's paper does not know it, so without its edge there is a report. */
#include "../turns.h"

static pthread_barrier_t barrier;
int object;

static void *first(void *unused)
{
	object = 1; /* race 1 pure */
	pthread_barrier_wait(&barrier);
	over();
	return unused;
}

static void *second(void *unused)
{
	pthread_barrier_wait(&barrier);
#ifndef CORRECT
	object = 2; /* race 1 pure */
#endif
	return unused;
}

int main(void)
{
	pthread_barrier_init(&barrier, NULL, 2);
	two(first, second);
	object = 3;
	return 0;
}
