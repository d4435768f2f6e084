/* SPDX-License-Identifier: Apache-2.0 */
/* A task that is not deferred is over before its creator goes on; one that is may not be. */
#include "../turns.h"

int value, seen;

int main(void)
{
#ifdef CORRECT
	int deferred = 0;
#else
	int deferred = 1;
#endif
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task if (deferred)
		{
			if (deferred) {
				over();
				turn(2);
			}
			value = 1; /* race 1 */
		}
		if (deferred) {
			over();
			turn(2);
		}
		seen = value; /* race 1 */
	}
	return seen < 0;
}
