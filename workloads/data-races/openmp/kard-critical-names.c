/* SPDX-License-Identifier: Apache-2.0 */
/* Two critical sections of different names overlap, and use one object. */
#include <omp.h>

#include "../turns.h"

long total;

static void first(void)
{
	total += 1; /* race 1 */
	over();
#ifndef CORRECT
	turn(2);
#endif
}

int main(void)
{
#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
		{
#pragma omp critical(one)
			first();
		}
#pragma omp section
		{
			turn(1);
#ifdef CORRECT
#pragma omp critical(one)
#else
#pragma omp critical(other)
#endif
			total += 2; /* race 1 */
			over();
		}
	}
	return total < 0;
}
