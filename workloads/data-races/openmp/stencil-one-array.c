/* SPDX-License-Identifier: Apache-2.0 */
/* A stencil of three points writes what its neighbours read, or goes from one array to another. */
#define N 400
double now[N], next[N];

int main(void)
{
	for (int step = 0; step < 3; step++) {
#ifdef CORRECT
#pragma omp parallel num_threads(4)
		{
#pragma omp for
			for (int i = 1; i < N - 1; i++)
				next[i] = (now[i - 1] + now[i] + now[i + 1]) / 3;
#pragma omp for
			for (int i = 1; i < N - 1; i++)
				now[i] = next[i];
		}
#else
#pragma omp parallel for num_threads(4)
		for (int i = 1; i < N - 1; i++)
			now[i] = (now[i - 1] + now[i] + now[i + 1]) / 3; /* race 1 */
#endif
	}
	return now[1] + next[1] < 0;
}
