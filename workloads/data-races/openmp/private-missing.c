/* SPDX-License-Identifier: Apache-2.0 */
/* A variable for intermediate results, shared or private. */
#define N 400
int a[N];

static __attribute__((noinline)) void halve(int *half, int value)
{
	*half = value / 2; /* race 1 */
}

int main(void)
{
	int half = 0;
#ifdef CORRECT
#pragma omp parallel for private(half) num_threads(4)
#else
#pragma omp parallel for num_threads(4)
#endif
	for (int i = 0; i < N; i++) {
		halve(&half, a[i]);
		a[i] = i;
	}
	return half > N;
}
