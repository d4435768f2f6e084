/* SPDX-License-Identifier: Apache-2.0 */
/* Each thread reads what its neighbour wrote in the step before. */
#include "turns.h"

static pthread_barrier_t barrier;
long cells[2][16], sums[2][16];

static void step(int mine)
{
	cells[mine][0] = mine + 1; /* race 1 hmtrace */
#ifdef CORRECT
	pthread_barrier_wait(&barrier);
#endif
	sums[mine][0] += cells[1 - mine][0]; /* race 1 hmtrace */
}

static void *left(void *unused)
{
	step(0);
	return unused;
}

static void *right(void *unused)
{
	step(1);
	return unused;
}

int main(void)
{
	pthread_barrier_init(&barrier, NULL, 2);
	two(left, right);
	pthread_barrier_destroy(&barrier);
	return 0;
}
