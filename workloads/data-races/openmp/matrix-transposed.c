/* SPDX-License-Identifier: Apache-2.0 */
/* A matrix is transposed in place: each pair is swapped by both of its threads, or by one. */
#define N 32
int a[N][N];

int main(void)
{
#pragma omp parallel for num_threads(4)
	for (int i = 0; i < N; i++)
#ifdef CORRECT
		for (int j = 0; j < i; j++) {
#else
		for (int j = 0; j < N; j++) {
#endif
			int old = a[i][j]; /* race 1 too */
			a[i][j] = a[j][i], a[j][i] = old; /* race 1 */
		}
	return a[0][0] < 0;
}
