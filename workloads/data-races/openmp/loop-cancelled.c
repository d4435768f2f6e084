/* SPDX-License-Identifier: Apache-2.0 */
/* A search ends when one thread has found it: all write where, or each asks atomically whether it was the first. */
#define N 64
int a[N], where = -1, count;

int main(void)
{
	for (int i = 0; i < N; i++)
		a[i] = i % 16;
#pragma omp parallel num_threads(4)
	{
#pragma omp for
		for (int i = 0; i < N; i++)
			if (a[i] == 15) {
#ifdef CORRECT
				int before;
#pragma omp atomic capture
				before = count++;
				if (before == 0)
					where = i;
#else
				where = i; /* race 1 */
#endif
#pragma omp cancel for
			}
	}
	return where < 0;
}
