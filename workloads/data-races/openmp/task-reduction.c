/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks add to a sum of their own, or to one that all share. */
#include "../turns.h"

int sum;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
	for (int i = 0; i < 2; i++) {
#ifdef CORRECT
#pragma omp task in_reduction(+ : sum)
#else
#pragma omp task
#endif
		{
			over();
			turn(2);
			sum += i; /* race 1 */
		}
	}
	return sum < 0;
}
