/* SPDX-License-Identifier: Apache-2.0 */
/* copyin copies a pointer of the first thread into all others: what they write is shared, unless each has a place. */
#include <omp.h>

int *place, values[4 * 16];
#pragma omp threadprivate(place)

int main(void)
{
	place = values;
#pragma omp parallel copyin(place) num_threads(4)
	{
#ifdef CORRECT
		place += 16 * omp_get_thread_num();
#endif
		*place = 1; /* race 1 */
	}
	return values[0] < 0;
}
