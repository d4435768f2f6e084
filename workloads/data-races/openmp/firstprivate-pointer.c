/* SPDX-License-Identifier: Apache-2.0 */
/* A private pointer is not private memory: all copies point to one buffer, or each thread makes its own. */
#include <stdlib.h>

#define N 40
int result[N];

int main(void)
{
	volatile int *buffer = malloc(sizeof *buffer);
#pragma omp parallel firstprivate(buffer) num_threads(4)
	{
#ifdef CORRECT
		buffer = malloc(sizeof *buffer);
#endif
#pragma omp for
		for (int i = 0; i < N; i++) {
			*buffer = i; /* race 1 */
			result[i] = *buffer; /* race 1 too */
		}
#ifdef CORRECT
		free((void *)buffer);
#endif
	}
	free((void *)buffer);
	return result[0] < 0;
}
