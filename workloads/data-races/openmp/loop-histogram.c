/* SPDX-License-Identifier: Apache-2.0 */
/* Counters that all iterations share, added to atomically or not. */
#define N 400
int counters[8];

int main(void)
{
#pragma omp parallel for num_threads(4)
	for (int i = 0; i < N; i++) {
#ifdef CORRECT
#pragma omp atomic
#endif
		counters[i % 8]++; /* race 1 */
	}
	return counters[0] < 0;
}
