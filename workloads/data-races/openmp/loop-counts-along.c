/* SPDX-License-Identifier: Apache-2.0 */
/* A second index that counts along with the loop, or follows from the first. */
#define N 100
int index_of_even, a[N], b[2 * N];

int main(void)
{
#ifdef CORRECT
#pragma omp parallel for num_threads(4)
	for (int i = 0; i < N; i++)
		a[i] = b[2 * i];
#else
#pragma omp parallel for num_threads(4)
	for (int i = 0; i < N; i++) /* race 1 too */
		index_of_even += 2, a[i] = b[index_of_even % N]; /* race 1 */
#endif
	return a[0] < 0;
}
