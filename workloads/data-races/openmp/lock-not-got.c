/* SPDX-License-Identifier: Apache-2.0 */
/* A thread goes on although it did not get the lock. */
#include "../turns.h"

#include <omp.h>

omp_nest_lock_t lock;
int total;

int main(void)
{
	omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0) {
			omp_set_nest_lock(&lock);
			omp_set_nest_lock(&lock);
			over();
#ifndef CORRECT
			turn(2);
#endif
			total++; /* race 1 */
			omp_unset_nest_lock(&lock);
			omp_unset_nest_lock(&lock);
		} else {
			turn(1);
			int times = omp_test_nest_lock(&lock);
#ifdef CORRECT
			while (times == 0)
				times = omp_test_nest_lock(&lock);
#endif
			total++; /* race 1 */
			over();
			if (times > 0)
				omp_unset_nest_lock(&lock);
		}
	}
	omp_destroy_nest_lock(&lock);
	return total < 0;
}
