/* SPDX-License-Identifier: Apache-2.0 */
/* The dot product of a solver is summed up without a reduction, or with one. */
#define N 200
double a[N], b[N], product;

int main(void)
{
#ifdef CORRECT
#pragma omp parallel for reduction(+ : product) num_threads(4)
#else
#pragma omp parallel for num_threads(4)
#endif
	for (int i = 0; i < N; i++) /* race 1 too */
		product += a[i] * b[i]; /* race 1 */
	return product < 0;
}
