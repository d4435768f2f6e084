/* SPDX-License-Identifier: Apache-2.0 */
/* A loop that does not wait, and one that reads other elements. */
#define N 400
int a[N], b[N];

int main(void)
{
#pragma omp parallel num_threads(4)
	{
#ifdef CORRECT
#pragma omp for
#else
#pragma omp for nowait
#endif
		for (int i = 0; i < N; i++)
			a[i] = i; /* race 1 */
#pragma omp for
		for (int i = 0; i < N; i++)
			b[i] = a[N - 1 - i]; /* race 1 */
	}
	return b[0] < 0;
}
