/* SPDX-License-Identifier: Apache-2.0 */
/* A lock and a critical section exclude themselves, not each other. They overlap here. */
#include <omp.h>

#include "../turns.h"

long total;
static omp_nest_lock_t lock;

int main(void)
{
	omp_init_nest_lock(&lock);
#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
		{
			omp_set_nest_lock(&lock);
			total += 1; /* race 1 */
			over();
#ifndef CORRECT
			turn(2);
#endif
			omp_unset_nest_lock(&lock);
		}
#pragma omp section
		{
			turn(1);
#ifdef CORRECT
			omp_set_nest_lock(&lock);
			total += 2;
			omp_unset_nest_lock(&lock);
#else
#pragma omp critical
			total += 2; /* race 1 */
#endif
			over();
		}
	}
	omp_destroy_nest_lock(&lock);
	return total < 0;
}
