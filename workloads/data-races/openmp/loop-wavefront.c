/* SPDX-License-Identifier: Apache-2.0 */
/* Cells wait for the one above and the one on the left, or only for the one above. */
#define N 12
int a[N][N];

int main(void)
{
#pragma omp parallel for ordered(2) collapse(2) schedule(static, 1) num_threads(4)
	for (int i = 1; i < N; i++)
		for (int j = 1; j < N; j++) {
#ifdef CORRECT
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
#else
#pragma omp ordered depend(sink : i - 1, j)
#endif
			a[i][j] = a[i - 1][j] + a[i][j - 1]; /* race 1 */
#pragma omp ordered depend(source)
		}
	return a[1][1] < 0;
}
