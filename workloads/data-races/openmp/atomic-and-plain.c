/* SPDX-License-Identifier: Apache-2.0 */
/* One thread adds atomically, another one reads as usual. */
#include <omp.h>

int total, seen;

int main(void)
{
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0) {
#pragma omp atomic /* race 1 */
			total++;
		} else {
			int mine;
#ifdef CORRECT
#pragma omp atomic read
#endif
			mine = total; /* race 1 */
			seen = mine;
		}
	}
	return seen < 0;
}
