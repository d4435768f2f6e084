/* SPDX-License-Identifier: Apache-2.0 */
/* A recursive sum in tasks waits for its halves, or reads them early. */
#include "../turns.h"

static int sum(int depth)
{
	int left = 0, right;
	if (depth == 0)
		return 1;
#pragma omp task shared(left)
	{
#ifndef CORRECT
		over();
		turn(2);
#endif
		left = sum(depth - 1); /* race 1 */
	}
	right = sum(depth - 1);
#ifdef CORRECT
#pragma omp taskwait
	return left + right;
#else
	over();
	turn(2);
	int early = left + right; /* race 1 */
#pragma omp taskwait
	return early;
#endif
}

int main(void)
{
	int result = 0;
#ifdef CORRECT
	int depth = 4;
#else
	int depth = 1;
#endif
#pragma omp parallel num_threads(2)
#pragma omp single
	result = sum(depth);
	return result < 0;
}
