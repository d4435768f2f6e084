/* SPDX-License-Identifier: Apache-2.0 */
/* Regions one after another share memory; a thread beside them does not wait. */
#include "../turns.h"

#include <unistd.h>

#define N 64
int a[N];

static void *beside(void *unused)
{
#ifndef CORRECT
	a[0] = 1; /* race 1 */
#endif
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, beside, NULL);
	usleep(20000); /* Stored later, it could find its granule's four tags taken by the elements beside it. */
	for (int step = 0; step < 10; step++) {
#pragma omp parallel for num_threads(4) schedule(static, 1)
		for (int i = 0; i < N; i++)
			a[(i + step) % N] += i; /* race 1 */
	}
	pthread_join(thread, NULL);
	return 0;
}
