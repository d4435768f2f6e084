/* SPDX-License-Identifier: Apache-2.0 */
/* A task depends on another variable than the one it reads. */
#include "../turns.h"

int value, seen;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task depend(out : value)
		{
			value = 1; /* race 1 */
#ifndef CORRECT
			over();
			turn(2);
#endif
		}
#ifdef CORRECT
#pragma omp task depend(in : value)
#else
#pragma omp task depend(in : seen)
#endif
		{
#ifndef CORRECT
			turn(1);
#endif
			seen = value; /* race 1 */
			over();
		}
	}
	return seen < 0;
}
