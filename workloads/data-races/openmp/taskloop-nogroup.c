/* SPDX-License-Identifier: Apache-2.0 */
/* A loop of tasks that is not waited for. */
#include "../turns.h"

#define N 8
int a[N], seen;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#ifdef CORRECT
#pragma omp taskloop grainsize(1)
#else
#pragma omp taskloop grainsize(1) nogroup
#endif
		for (int i = 0; i < N; i++) {
			a[i] = i; /* race 1 */
			over();
		}
		turn(N);
		seen = a[0]; /* race 1 */
	}
	return seen < 0;
}
