/* SPDX-License-Identifier: Apache-2.0 */
/* Threads ask for the residual, which another one sets back for the next step: behind a barrier, or not. */
#define N 64
double x[N] = {1}, residual;
int steps;

int main(void)
{
#pragma omp parallel num_threads(4)
	for (int step = 0; step < 3; step++) {
#pragma omp single
		residual = 0; /* race 1 */
#pragma omp for reduction(+ : residual)
		for (int i = 0; i < N; i++)
			residual += x[i] * x[i];
		if (residual < 0) /* race 1 */
			break;
#ifdef CORRECT
#pragma omp barrier
#endif
	}
	return residual < 0;
}
