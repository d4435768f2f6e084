/* SPDX-License-Identifier: Apache-2.0 */
/* A flag is set without the lock of its condition variable. */
#include "turns.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready;

static void *waiter(void *unused)
{
	pthread_mutex_lock(&lock);
#ifndef CORRECT
	over();
	turn(2);
#endif
	while (ready == 0) /* race 1 hmtrace */
		pthread_cond_wait(&condition, &lock);
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *setter(void *unused)
{
#ifdef CORRECT
	pthread_mutex_lock(&lock);
#else
	turn(1);
#endif
	ready = 1; /* race 1 hmtrace */
#ifdef CORRECT
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&lock);
#else
	over();
#endif
	return unused;
}

int main(void)
{
	two(waiter, setter);
	return 0;
}
