/* SPDX-License-Identifier: Apache-2.0 */
/* Chunks that threads take as they come. What neighbours write lies side by side. */
#include "../turns.h"

#define N 64
char a[N];
int common;

int main(void)
{
#pragma omp parallel for schedule(dynamic, 1) num_threads(4)
	for (int i = 0; i < N; i++) {
		a[i] = (char)i;
		if (i < 2) {
			over();
			turn(2);
#ifndef CORRECT
			common = i; /* race 1 */
#endif
		}
	}
	return common < 0;
}
