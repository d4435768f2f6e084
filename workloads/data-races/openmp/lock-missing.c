/* SPDX-License-Identifier: Apache-2.0 */
/* A lock of OpenMP that one thread does not take. */
#include <omp.h>

omp_lock_t lock;
int total;

int main(void)
{
	omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
	{
#ifdef CORRECT
		int locks = 1;
#else
		int locks = omp_get_thread_num() == 0;
#endif
		if (locks)
			omp_set_lock(&lock);
		total++; /* race 1 */
		if (locks)
			omp_unset_lock(&lock);
	}
	omp_destroy_lock(&lock);
	return total < 0;
}
