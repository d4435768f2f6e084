/* SPDX-License-Identifier: Apache-2.0 */
/* Each iteration reads what the next one writes. */
#define N 1000
int before[N], a[N];

int main(void)
{
#ifdef CORRECT
	for (int i = 0; i < N; i++)
		before[i] = a[i];
#pragma omp parallel for num_threads(4)
	for (int i = 0; i < N - 1; i++)
		a[i] = before[i + 1] + 1;
#else
#pragma omp parallel for num_threads(4)
	for (int i = 0; i < N - 1; i++)
		a[i] = a[i + 1] + 1; /* race 1 */
#endif
	return 0;
}
