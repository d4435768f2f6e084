/* SPDX-License-Identifier: Apache-2.0 */
/* Critical sections of two names do not exclude each other. */
#include <omp.h>

int total;

static __attribute__((noinline)) void add(void)
{
#pragma omp critical(one)
	total += 2; /* race 1 */
}

static __attribute__((noinline)) void add_one(void)
{
#ifdef CORRECT
#pragma omp critical(one)
#else
#pragma omp critical(other)
#endif
	total++; /* race 1 */
}

int main(void)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0)
		add();
	else
		add_one();
	return total < 0;
}
