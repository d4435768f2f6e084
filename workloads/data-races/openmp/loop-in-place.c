/* SPDX-License-Identifier: Apache-2.0 */
/* A stencil in place, or from one array to another. */
#define N 400
double a[N], b[N];

int main(void)
{
	for (int step = 0; step < 5; step++) {
#ifdef CORRECT
#pragma omp parallel num_threads(4)
		{
#pragma omp for
			for (int i = 1; i < N - 1; i++)
				b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
#pragma omp for
			for (int i = 1; i < N - 1; i++)
				a[i] = b[i];
		}
#else
#pragma omp parallel for num_threads(4)
		for (int i = 1; i < N - 1; i++)
			a[i] = (a[i - 1] + a[i] + a[i + 1]) / 3; /* race 1 */
#endif
	}
	return 0;
}
