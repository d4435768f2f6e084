/* SPDX-License-Identifier: Apache-2.0 */
/* One thread adds in a critical section, another one does not. */
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
#endif
			total++; /* race 1 */
		}
	}
	return total < 0;
}
