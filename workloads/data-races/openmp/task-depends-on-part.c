/* SPDX-License-Identifier: Apache-2.0 */
/* Two tasks change overlapping parts of an array; each depends on the first element of its own, or on one of both. */
#include "../turns.h"

#define N 16
int a[N];

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#ifdef CORRECT
#pragma omp task depend(inout : a[0])
		for (int i = 0; i < 12; i++)
			a[i] = 1;
#pragma omp task depend(inout : a[0])
		for (int i = 4; i < N; i++)
			a[i] = 2;
#else
#pragma omp task depend(inout : a[0])
		{
			over();
			turn(2);
			for (int i = 0; i < 12; i++)
				a[i] = 1; /* race 1 */
		}
#pragma omp task depend(inout : a[4])
		{
			over();
			turn(2);
			for (int i = 4; i < N; i++)
				a[i] = 2; /* race 1 */
		}
#endif
	}
	return a[0] < 0;
}
