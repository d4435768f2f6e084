/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of an inner region write what those of the outer one share. */
#include <omp.h>

int total;

int main(void)
{
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
	{
#ifdef CORRECT
#pragma omp critical
#endif
		total++; /* race 1 */
	}
	return total < 0;
}
