/* SPDX-License-Identifier: Apache-2.0 */
/* A scope waits at its end, or does not. */
#include <omp.h>

int parts[4], total[4];

int main(void)
{
#pragma omp parallel num_threads(4)
	{
		int me = omp_get_thread_num();
#ifdef CORRECT
#pragma omp scope
#else
#pragma omp scope nowait
#endif
		parts[me] = me; /* race 1 */
		total[me] = parts[(me + 1) % 4]; /* race 1 */
	}
	return total[0] < 0;
}
