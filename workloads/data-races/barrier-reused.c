/* SPDX-License-Identifier: Apache-2.0 */
/* A barrier orders one step after another; a step too early is not ordered. */
#include "turns.h"

static pthread_barrier_t barrier;
int cells[8], copy[8];

static void *writer(void *unused)
{
	for (int step = 0; step < 8; step++) {
#ifndef CORRECT
		if (step == 7) {
			over();
			turn(2);
		}
#endif
		cells[step] = step; /* race 1 hmtrace */
		pthread_barrier_wait(&barrier);
	}
	return unused;
}

static void *reader(void *unused)
{
	for (int step = 0; step < 8; step++) {
#ifndef CORRECT
		if (step == 7) {
			turn(1);
			copy[step] = cells[step]; /* race 1 hmtrace */
			over();
		}
#endif
		pthread_barrier_wait(&barrier);
		if (step < 7)
			copy[step] = cells[step];
	}
	return unused;
}

int main(void)
{
	pthread_barrier_init(&barrier, NULL, 2);
	two(writer, reader);
	return copy[0];
}
