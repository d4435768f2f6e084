/* SPDX-License-Identifier: Apache-2.0 */
/* What the last iteration found: each thread writes it, or lastprivate keeps it. */
#define N 100
int found, a[N];

int main(void)
{
#ifdef CORRECT
#pragma omp parallel for lastprivate(found) num_threads(4)
#else
#pragma omp parallel for num_threads(4)
#endif
	for (int i = 0; i < N; i++)
		found = a[i] + i; /* race 1 */
	return found < 0;
}
