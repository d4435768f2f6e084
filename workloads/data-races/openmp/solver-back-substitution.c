/* SPDX-License-Identifier: Apache-2.0 */
/* A triangular system: rows depend on earlier rows, so threads may share only the sum of one. */
#define N 24
double l[N][N], x[N], right[N];

int main(void)
{
	for (int i = 0; i < N; i++)
		l[i][i] = right[i] = 1;
#ifdef CORRECT
	for (int i = 0; i < N; i++) {
		double sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(4)
		for (int j = 0; j < i; j++)
			sum += l[i][j] * x[j];
		x[i] = (right[i] - sum) / l[i][i];
	}
#else
#pragma omp parallel for num_threads(4)
	for (int i = 0; i < N; i++) {
		double sum = 0;
		for (int j = 0; j < i; j++)
			sum += l[i][j] * x[j]; /* race 1 */
		x[i] = (right[i] - sum) / l[i][i]; /* race 1 */
	}
#endif
	return x[0] < 0;
}
