/* SPDX-License-Identifier: Apache-2.0 */
/* A sum over threads and vectors, with and without its reduction. */
#define N 1024
float a[N], sum;

int main(void)
{
#ifdef CORRECT
#pragma omp parallel for simd reduction(+ : sum) num_threads(4)
#else
#pragma omp parallel for num_threads(4)
#endif
	for (int i = 0; i < N; i++) /* race 1 too */
		sum += a[i]; /* race 1 */
	return sum < 0;
}
