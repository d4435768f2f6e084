/* SPDX-License-Identifier: Apache-2.0 */
/* A sum that all threads add to. */
#define N 400

static __attribute__((noinline)) void add(int *sum, int value)
{
	*sum += value; /* race 1 */
}

int main(void)
{
	int sum = 0;
#ifdef CORRECT
#pragma omp parallel for reduction(+ : sum) num_threads(4)
#else
#pragma omp parallel for num_threads(4)
#endif
	for (int i = 0; i < N; i++)
		add(&sum, i);
	return sum < 0;
}
