/* SPDX-License-Identifier: Apache-2.0 */
/* One thread has the lock while another one, without it, uses the object. */
#include <omp.h>

#include "../turns.h"

long total;
static omp_lock_t lock;

int main(void)
{
	omp_init_lock(&lock);
#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
		{
			omp_set_lock(&lock);
			total += 1; /* race 1 */
			over();
#ifndef CORRECT
			turn(2);
#endif
			omp_unset_lock(&lock);
		}
#pragma omp section
		{
			turn(1);
#ifdef CORRECT
			omp_set_lock(&lock);
#endif
			total += 2; /* race 1 */
#ifdef CORRECT
			omp_unset_lock(&lock);
#endif
			over();
		}
	}
	omp_destroy_lock(&lock);
	return total < 0;
}
