/* SPDX-License-Identifier: Apache-2.0 */
/* One place has a lock, another one a critical section: they exclude themselves, not each other. */
#include <omp.h>

#include "../turns.h"

int balance;

int main(void)
{
	omp_lock_t lock;
	omp_init_lock(&lock);
#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
		{
			over();
			turn(2);
			omp_set_lock(&lock);
			balance += 1; /* race 1 */
			omp_unset_lock(&lock);
		}
#pragma omp section
		{
			over();
			turn(2);
#ifdef CORRECT
			omp_set_lock(&lock);
			balance -= 1;
			omp_unset_lock(&lock);
#else
#pragma omp critical
			balance -= 1; /* race 1 */
#endif
		}
	}
	omp_destroy_lock(&lock);
#ifdef CORRECT
	return balance != 0;
#else
	return balance < -1 || balance > 1; /* one of the two may be lost */
#endif
}
