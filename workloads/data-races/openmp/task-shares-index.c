/* SPDX-License-Identifier: Apache-2.0 */
/* A task reads the index of the loop that creates it, or has a copy. */
#include "../turns.h"

#define N 4
int next, seen[N];

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < N; i++) {
		next = i; /* race 1 */
#ifdef CORRECT
		int mine = next;
#pragma omp task firstprivate(mine)
		seen[mine] = mine;
#else
#pragma omp task
		{
			seen[i] = next; /* race 1 */
			over();
		}
		turn(i + 1);
#endif
	}
	return seen[0] < 0;
}
