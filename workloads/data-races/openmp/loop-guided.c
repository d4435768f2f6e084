/* SPDX-License-Identifier: Apache-2.0 */
/* A guided loop: the iterations that hand a value on are ordered, or not. */
#include "../turns.h"

#define N 16
int a[N + 1];

int main(void)
{
#pragma omp parallel for schedule(guided) ordered num_threads(2)
	for (int i = 0; i < N; i++) {
#ifdef CORRECT
#pragma omp ordered
		a[i + 1] = a[i] + 1;
#else
		over();
		turn(2);
		a[i + 1] = a[i] + 1; /* race 1 */
#pragma omp ordered
		over();
#endif
	}
	return a[N] < 0;
}
