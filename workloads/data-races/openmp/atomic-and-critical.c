/* SPDX-License-Identifier: Apache-2.0 */
/* A critical section does not exclude an atomic update. */
#include <omp.h>

int total;

int main(void)
{
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0) {
#pragma omp critical
			total++; /* race 1 */
		} else {
#ifdef CORRECT
#pragma omp critical
			total++;
#else
#pragma omp atomic /* race 1 */
			total++;
#endif
		}
	}
	return total < 0;
}
