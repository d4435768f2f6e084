/* SPDX-License-Identifier: Apache-2.0 */
/* Each iteration reads what the one before writes. */
#define N 200
int a[N];

int main(void)
{
#ifdef CORRECT
#pragma omp parallel for num_threads(4) ordered schedule(dynamic)
	for (int i = 1; i < N; i++)
#pragma omp ordered
		a[i] = a[i - 1] + 1;
#else
#pragma omp parallel for num_threads(4)
	for (int i = 1; i < N; i++)
		a[i] = a[i - 1] + 1; /* race 1 */
#endif
	return 0;
}
