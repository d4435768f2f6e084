/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks that say that they read write; those that exclude each other may. */
#include "../turns.h"

int value, seen;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task depend(out : value)
		value = 1;
#ifdef CORRECT
#pragma omp task depend(mutexinoutset : value)
		value++;
#pragma omp task depend(mutexinoutset : value)
		value++;
#else
#pragma omp task depend(in : value)
		{
			over();
			turn(2);
			value++; /* race 1 */
		}
#pragma omp task depend(in : value)
		{
			over();
			turn(2);
			value += 2; /* race 1 */
		}
#endif
	}
	return seen < 0;
}
