/* SPDX-License-Identifier: Apache-2.0 */
/* What has to come in order is behind the ordered section. */
#define N 100
int last, a[N];

int main(void)
{
#pragma omp parallel for ordered schedule(static, 1) num_threads(4)
	for (int i = 0; i < N; i++) {
#ifdef CORRECT
#pragma omp ordered
		last = i;
#else
#pragma omp ordered
		a[i] = i;
		last = i; /* race 1 */
#endif
	}
	return last + a[0] < 0;
}
