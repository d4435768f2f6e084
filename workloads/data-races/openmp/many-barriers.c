/* SPDX-License-Identifier: Apache-2.0 */
/* Threads take turns with two buffers, one barrier for each step, or too few. */
#include <omp.h>

int buffers[2][4];

int main(void)
{
#pragma omp parallel num_threads(4)
	{
		int me = omp_get_thread_num();
		for (int step = 0; step < 50; step++) {
			buffers[step % 2][me] = buffers[(step + 1) % 2][(me + 1) % 4] + 1; /* race 1 */
#ifdef CORRECT
#pragma omp barrier
#endif
		}
	}
	return 0;
}
