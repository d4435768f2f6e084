/* SPDX-License-Identifier: Apache-2.0 */
/* Two tasks write one variable; they depend on each other, or do not. */
#include "../turns.h"

int value, seen;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#ifdef CORRECT
#pragma omp task depend(inout : value)
		value++;
#pragma omp task depend(inout : value)
		value++;
#else
#pragma omp task
		{
			over();
			turn(2);
			value++; /* race 1 */
		}
#pragma omp task
		{
			over();
			turn(2);
			value += 2; /* race 1 */
		}
#endif
	}
	return seen < 0;
}
