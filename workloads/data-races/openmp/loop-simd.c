/* SPDX-License-Identifier: Apache-2.0 */
/* A loop for threads and vectors reads a neighbour that is written. */
#define N 1024
float a[N], b[N];

int main(void)
{
#ifdef CORRECT
#pragma omp parallel for simd num_threads(4)
	for (int i = 0; i < N - 1; i++)
		b[i] = a[i + 1] * 2;
#else
#pragma omp parallel for simd num_threads(4)
	for (int i = 0; i < N - 1; i++)
		a[i] = a[i + 1] * 2; /* race 1 */
#endif
	return b[0] < 0;
}
