/* SPDX-License-Identifier: Apache-2.0 */
/* One thread swaps the two grids of a stencil while others may still read through the pointers, or behind a barrier. */
#include "../turns.h"

#define N 64
double first[N], second[N];
double *now = first, *next = second;

int main(void)
{
#pragma omp parallel num_threads(2)
	{
		for (int step = 0; step < 2; step++) {
#pragma omp for nowait
			for (int i = 1; i < N - 1; i++)
				next[i] = now[i - 1] + now[i + 1]; /* race 1 */
#ifdef CORRECT
#pragma omp barrier
#endif
#pragma omp single
			{
				double *old = now;
				now = next; /* race 1 */
				next = old; /* race 1 too */
			}
		}
	}
	return now[1] < 0;
}
