/* SPDX-License-Identifier: Apache-2.0 */
/* Iterations wait for the one before, or say only that they are done. */
#define N 200

/* Each in a granule of its own: a granule remembers four accesses. */
struct {
	int value;
} __attribute__((aligned(16))) a[N];

int main(void)
{
#pragma omp parallel for num_threads(4) ordered(1)
	for (int i = 1; i < N; i++) {
#ifdef CORRECT
#pragma omp ordered depend(sink : i - 1)
#endif
		a[i].value = a[i - 1].value + 1; /* race 1 */
#pragma omp ordered depend(source)
	}
	return 0;
}
