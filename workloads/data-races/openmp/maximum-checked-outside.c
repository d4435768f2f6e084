/* SPDX-License-Identifier: Apache-2.0 */
/* The maximum is set in a critical section, and looked at before it: plainly, or atomically. */
#define N 100
int maximum, a[N];

int main(void)
{
	for (int i = 0; i < N; i++)
		a[i] = (i * 37) % N;
#pragma omp parallel for schedule(static, 1) num_threads(4)
	for (int i = 0; i < N; i++) {
		int seen;
#ifdef CORRECT
#pragma omp atomic read
#endif
		seen = maximum; /* race 1 */
		if (a[i] > seen)
#pragma omp critical
			if (a[i] > maximum)
#ifdef CORRECT
#pragma omp atomic write
#endif
				maximum = a[i]; /* race 1 */
	}
	return maximum < 0;
}
