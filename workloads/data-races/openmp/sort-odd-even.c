/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting by swaps of neighbours, first odd ones, then even ones: with a barrier between the two, or without. */
#define N 64
int a[N];

/* One line: which of its accesses meet first depends on the order of the threads. */
#define ORDER(one, other) \
	do { \
		int low = one, high = other; \
		one = low < high ? low : high, other = low < high ? high : low; \
	} while (0)

static __attribute__((noinline)) void order(int at)
{
	ORDER(a[at], a[at + 1]); /* race 1 */
}

int main(void)
{
	for (int i = 0; i < N; i++)
		a[i] = (i * 37) % N;
#pragma omp parallel num_threads(4)
	for (int step = 0; step < 4; step++) {
#ifdef CORRECT
#pragma omp for
#else
#pragma omp for nowait
#endif
		for (int i = step % 2; i < N - 1; i += 2)
			order(i);
	}
	return a[0] < 0;
}
