/* SPDX-License-Identifier: Apache-2.0 */
/* Each thread sums its block and then adds the sums of the blocks before: behind a barrier, or not. */
#include <omp.h>

#define N 400
#define THREADS 4
int a[N], sums[THREADS];

int main(void)
{
#pragma omp parallel num_threads(THREADS)
	{
		int me = omp_get_thread_num(), before = 0, sum = 0;
		for (int i = me * (N / THREADS); i < (me + 1) * (N / THREADS); i++)
			sum += a[i] + 1;
		sums[me] = sum; /* race 1 */
#ifdef CORRECT
#pragma omp barrier
#endif
		for (int other = 0; other < me; other++)
			before += sums[other]; /* race 1 */
		a[me * (N / THREADS)] += before;
	}
	return a[0] < 0;
}
