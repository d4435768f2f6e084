/* SPDX-License-Identifier: Apache-2.0 */
/* Each thread has an array of its own, or all add to one. */
#define N 400
int counters[8];

int main(void)
{
#ifdef CORRECT
#pragma omp parallel for reduction(+ : counters[:8]) num_threads(4)
#else
#pragma omp parallel for num_threads(4)
#endif
	for (int i = 0; i < N; i++)
		counters[i % 8] += i; /* race 1 */
	return counters[0] < 0;
}
