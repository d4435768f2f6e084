/* SPDX-License-Identifier: Apache-2.0 */
/* A lock that is taken twice is held until it is given back twice. */
#define _GNU_SOURCE /* for the initialiser */
#include "turns.h"

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
int total;

static void *add(void *unused)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
#ifndef CORRECT
	pthread_mutex_unlock(&lock);
#endif
	total++; /* race 1 hmtrace */
#ifdef CORRECT
	pthread_mutex_unlock(&lock);
#endif
	return unused;
}

int main(void)
{
	two(add, add);
	return total < 0;
}
