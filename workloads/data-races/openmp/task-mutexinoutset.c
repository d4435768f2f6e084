/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks that add to one sum exclude each other by mutexinoutset, or only wait for the one that sets it. */
#include "../turns.h"

int sum;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task depend(out : sum)
		sum = 0;
#ifdef CORRECT
#pragma omp task depend(mutexinoutset : sum)
		sum += 1;
#pragma omp task depend(mutexinoutset : sum)
		sum += 2;
#else
#pragma omp task depend(in : sum)
		{
			over();
			turn(2);
			sum += 1; /* race 1 */
		}
#pragma omp task depend(in : sum)
		{
			over();
			turn(2);
			sum += 2; /* race 1 */
		}
#endif
#pragma omp taskwait
	}
	return sum < 0;
}
