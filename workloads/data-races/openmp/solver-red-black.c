/* SPDX-License-Identifier: Apache-2.0 */
/* Gauss and Seidel's method in two colours: black waits for red, or does not. */
#define N 200
double x[N];

int main(void)
{
#pragma omp parallel num_threads(4)
	for (int step = 0; step < 2; step++) {
#ifdef CORRECT
#pragma omp for
#else
#pragma omp for nowait
#endif
		for (int i = 1; i < N - 1; i += 2)
			x[i] = (x[i - 1] + x[i + 1]) / 2; /* race 1 */
#pragma omp for
		for (int i = 2; i < N - 1; i += 2)
			x[i] = (x[i - 1] + x[i + 1]) / 2; /* race 1 */
	}
	return x[1] < 0;
}
