/* SPDX-License-Identifier: Apache-2.0 */
/* Two sections write one variable, or each its own. */
#include "../turns.h"

int values[2];

int main(void)
{
#ifdef CORRECT
	int other = 1;
#else
	int other = 0;
#endif
#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
		{
			over();
			turn(2);
			values[0] = 1; /* race 1 */
		}
#pragma omp section
		{
			over();
			turn(2);
			values[other] = 2; /* race 1 */
		}
	}
	return values[0] < 0;
}
