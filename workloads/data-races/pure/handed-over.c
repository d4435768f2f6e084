/* SPDX-License-Identifier: Apache-2.0 */
/* Threads hand an object over by a lock. One without it races with the last of them alone. */
#include "../turns.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
_Alignas(16) int object;

static void *first(void *unused)
{
	pthread_mutex_lock(&lock);
	object = 1;
	pthread_mutex_unlock(&lock);
	over();
	return unused;
}

static void *second(void *unused)
{
	turn(1);
	pthread_mutex_lock(&lock);
	object = 2; /* race 1 */
	pthread_mutex_unlock(&lock);
	over();
	return unused;
}

int main(void)
{
	object = 0;
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, first, NULL);
	pthread_create(&threads[1], NULL, second, NULL);
	turn(2);
#ifndef CORRECT
	object = 3; /* race 1 */
#endif
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	object = 4;
	return 0;
}
