/* SPDX-License-Identifier: Apache-2.0 */
/* A simulation draws random numbers: from one state, or from one of each thread. */
#define N 100
unsigned state = 1;
int hits;

static __attribute__((noinline)) unsigned draw(unsigned *from)
{
	*from = *from * 1103515245 + 12345; /* race 1 */
	return *from >> 16;
}

int main(void)
{
#pragma omp parallel num_threads(4)
	{
#ifdef CORRECT
		unsigned own = 7, *from = &own;
#else
		unsigned *from = &state;
#endif
#pragma omp for reduction(+ : hits)
		for (int i = 0; i < N; i++)
			hits += (int)(draw(from) % 2);
	}
	return hits < 0;
}
