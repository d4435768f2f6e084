/* SPDX-License-Identifier: Apache-2.0 */
/* The master sets what all read; nobody waits for it. */
int value, sum;

int main(void)
{
#pragma omp parallel num_threads(4) reduction(+ : sum)
	{
#pragma omp master
		value = 1; /* race 1 */
#ifdef CORRECT
#pragma omp barrier
#endif
		sum += value; /* race 1 */
	}
	return sum < 0;
}
