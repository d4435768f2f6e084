/* SPDX-License-Identifier: Apache-2.0 */
/* KARD, table 1, first row: both threads hold a lock, but not the same. */
#include "turns.h"

static pthread_mutex_t la = PTHREAD_MUTEX_INITIALIZER, lb = PTHREAD_MUTEX_INITIALIZER;
int object;

static void *one(void *unused)
{
	pthread_mutex_lock(&la);
	object = 1; /* race 1 */
	over();
#ifndef CORRECT
	turn(2);
#endif
	pthread_mutex_unlock(&la);
	return unused;
}

static void *other(void *unused)
{
	turn(1);
#ifdef CORRECT
	pthread_mutex_lock(&la);
#else
	pthread_mutex_lock(&lb);
#endif
	object = 2; /* race 1 */
	over();
#ifdef CORRECT
	pthread_mutex_unlock(&la);
#else
	pthread_mutex_unlock(&lb);
#endif
	return unused;
}

int main(void)
{
	two(one, other);
	return 0;
}
