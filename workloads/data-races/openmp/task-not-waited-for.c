/* SPDX-License-Identifier: Apache-2.0 */
/* The result of a task is read before it is waited for. */
#include "../turns.h"

int value, seen;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task shared(value)
		{
			value = 1; /* race 1 */
			over();
		}
#ifdef CORRECT
#pragma omp taskwait
#else
		turn(1);
#endif
		seen = value; /* race 1 */
	}
	return seen < 0;
}
