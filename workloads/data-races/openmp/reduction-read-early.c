/* SPDX-License-Identifier: Apache-2.0 */
/* The sum of a loop that does not wait is read by one thread. */
#define N 400
int result;

int main(void)
{
	int sum = 0;
#pragma omp parallel num_threads(4)
	{
#pragma omp for reduction(+ : sum) nowait /* race 1 */
		for (int i = 0; i < N; i++)
			sum += i;
#ifdef CORRECT
#pragma omp barrier
#endif
#pragma omp master
		result = sum; /* race 1 */
	}
	return result < 0;
}
