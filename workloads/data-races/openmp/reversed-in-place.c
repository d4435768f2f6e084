/* SPDX-License-Identifier: Apache-2.0 */
/* An array is reversed in place, over its half or over all of it. */
#define N 256
int a[N];

int main(void)
{
#ifdef CORRECT
#pragma omp parallel for num_threads(4)
	for (int i = 0; i < N / 2; i++) {
#else
#pragma omp parallel for num_threads(4)
	for (int i = 0; i < N; i++) {
#endif
		int old = a[i] + a[N - 1 - i]; /* race 1 */
		a[i] = old, a[N - 1 - i] = old; /* race 1 */
	}
	return a[0] < 0;
}
