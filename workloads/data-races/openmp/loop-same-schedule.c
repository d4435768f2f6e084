/* SPDX-License-Identifier: Apache-2.0 */
/* Two loops without a barrier between them: equal static schedules give each thread its own elements again. */
#define N 400
int a[N], b[N];

int main(void)
{
#pragma omp parallel num_threads(4)
	{
#pragma omp for schedule(static) nowait
		for (int i = 0; i < N; i++)
			a[i] = i; /* race 1 */
#ifdef CORRECT
#pragma omp for schedule(static)
#else
#pragma omp for schedule(static, 1)
#endif
		for (int i = 0; i < N; i++)
			b[i] = a[i]; /* race 1 */
	}
	return b[0] < 0;
}
