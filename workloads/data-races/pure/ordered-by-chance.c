/* SPDX-License-Identifier: Apache-2.0 */
/* One thread writes without the lock. That it gave the lock back before the other one took it is chance. */
#include "../turns.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
_Alignas(16) int object;
_Alignas(16) int visits;

static void *first(void *unused)
{
#ifndef CORRECT
	object = 1; /* race 1 pure */
#endif
	pthread_mutex_lock(&lock);
#ifdef CORRECT
	object = 1;
#endif
	visits++;
	pthread_mutex_unlock(&lock);
	over();
	return unused;
}

static void *second(void *unused)
{
	turn(1);
	pthread_mutex_lock(&lock);
	visits++;
	object = 2; /* race 1 pure */
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	two(first, second);
	return 0;
}
