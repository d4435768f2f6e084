/* SPDX-License-Identifier: Apache-2.0 */
/* An index that iterations count up, or each thread for itself. */
#define N 400
int a[N], next;
#ifdef CORRECT
#pragma omp threadprivate(next)
#endif

static __attribute__((noinline)) int take(void)
{
	return next++; /* race 1 */
}

int main(void)
{
#pragma omp parallel for num_threads(4)
	for (int i = 0; i < N; i++)
		if (take() == N)
			a[0] = i;
	return 0;
}
