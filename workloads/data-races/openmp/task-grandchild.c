/* SPDX-License-Identifier: Apache-2.0 */
/* taskwait waits for children alone, taskgroup for all that came from them. */
#include "../turns.h"

int value, seen;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#ifdef CORRECT
#pragma omp taskgroup
#endif
		{
#pragma omp task shared(value)
			{
#pragma omp task shared(value)
				{
#ifndef CORRECT
					turn(1);
#endif
					value = 1; /* race 1 */
					over();
				}
			}
#ifndef CORRECT
#pragma omp taskwait
			over();
			turn(2);
#endif
		}
		seen = value; /* race 1 */
	}
	return seen < 0;
}
