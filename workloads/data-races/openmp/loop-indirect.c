/* SPDX-License-Identifier: Apache-2.0 */
/* A loop scatters through an index: two iterations have the same one, or none. */
#define N 128
int to[N], a[N];

int main(void)
{
	for (int i = 0; i < N; i++)
#ifdef CORRECT
		to[i] = (i * 37) % N;
#else
		to[i] = (i * 37) % (N / 2);
#endif
#pragma omp parallel for num_threads(4)
	for (int i = 0; i < N; i++)
		a[to[i]] += i; /* race 1 */
	return a[0] < 0;
}
