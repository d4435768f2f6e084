/* SPDX-License-Identifier: Apache-2.0 */
/* A thread reads what another one wrote before a barrier that is not there. */
#include <omp.h>

int a[4], sums[4];

int main(void)
{
#pragma omp parallel num_threads(4)
	{
		int me = omp_get_thread_num();
		a[me] = me; /* race 1 */
#ifdef CORRECT
#pragma omp barrier
#endif
		sums[me] = a[(me + 1) % 4]; /* race 1 */
	}
	return sums[0] < 0;
}
