/* SPDX-License-Identifier: Apache-2.0 */
/* A nested lock is given back twice; the last write is behind that, or between. */
#include <omp.h>

int total, calls;

int main(void)
{
	omp_nest_lock_t lock;
	omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(4)
	{
		omp_set_nest_lock(&lock);
		omp_set_nest_lock(&lock);
		total++;
		omp_unset_nest_lock(&lock);
#ifdef CORRECT
		calls++;
#endif
		omp_unset_nest_lock(&lock);
#ifndef CORRECT
		calls++; /* race 1 */
#endif
	}
	omp_destroy_nest_lock(&lock);
	return total + calls < 0;
}
