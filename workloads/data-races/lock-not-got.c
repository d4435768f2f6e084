/* SPDX-License-Identifier: Apache-2.0 */
/* A thread goes on although it did not get the lock. */
#include "turns.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int total;

static void *holder(void *unused)
{
	pthread_mutex_lock(&lock);
	over();
#ifndef CORRECT
	turn(2);
#endif
	total++; /* race 1 hmtrace */
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *impatient(void *unused)
{
	turn(1);
	int result = pthread_mutex_trylock(&lock);
#ifdef CORRECT
	if (result != 0)
		result = pthread_mutex_lock(&lock);
#endif
	total += 2; /* race 1 hmtrace */
	over();
	if (result == 0)
		pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	two(holder, impatient);
	return total < 0;
}
