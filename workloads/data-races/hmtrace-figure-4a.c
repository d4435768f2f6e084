/* SPDX-License-Identifier: Apache-2.0 */
/* HMTRace, figure 4, cases a to c: the same lock, or only reads. */
#include "turns.h"

static pthread_mutex_t x = PTHREAD_MUTEX_INITIALIZER;
long object, copies;

static void *add(void *unused)
{
	for (int i = 0; i < 10; i++) {
		pthread_mutex_lock(&x);
		object++;
		copies += object;
		pthread_mutex_unlock(&x);
	}
	return unused;
}

int main(void)
{
	two(add, add);
	return object == 20 ? 0 : 1;
}
