/* SPDX-License-Identifier: Apache-2.0 */
/* One thread sets what all read; nobody waits for it. */
int value, sum;

int main(void)
{
#pragma omp parallel num_threads(4) reduction(+ : sum)
	{
#ifdef CORRECT
#pragma omp single
#else
#pragma omp single nowait
#endif
		value = 1; /* race 1 */
		sum += value; /* race 1 */
	}
	return sum < 0;
}
