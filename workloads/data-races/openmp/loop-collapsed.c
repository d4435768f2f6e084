/* SPDX-License-Identifier: Apache-2.0 */
/* Two loops as one: iterations of different rows write the same columns. */
#define N 40
int a[N][N], columns[N];

int main(void)
{
#pragma omp parallel for collapse(2) num_threads(4)
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
#ifdef CORRECT
			a[i][j] = i + j;
#else
			columns[j] = i + j; /* race 1 */
#endif
	return a[0][0] + columns[0] < 0;
}
