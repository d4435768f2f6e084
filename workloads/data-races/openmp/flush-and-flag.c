/* SPDX-License-Identifier: Apache-2.0 */
/* A flag that is flushed, or written and read atomically. */
#include "../turns.h"

#include <omp.h>

int value, flag, seen;

int main(void)
{
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0) {
			value = 1; /* race 1 */
#ifdef CORRECT
#pragma omp atomic write release
			flag = 1;
#endif
			over();
		} else {
			turn(1);
#ifdef CORRECT
			int now = 0;
			while (now == 0)
#pragma omp atomic read acquire
				now = flag;
#endif
			seen = value; /* race 1 */
		}
	}
	return seen < 0;
}
