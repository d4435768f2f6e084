/* SPDX-License-Identifier: Apache-2.0 */
/* A writer gives its lock back before it writes. */
#include "turns.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int value, copy;

static void *writer(void *unused)
{
	pthread_rwlock_wrlock(&lock);
#ifdef CORRECT
	value = 1;
#endif
	pthread_rwlock_unlock(&lock);
#ifndef CORRECT
	value = 1; /* race 1 hmtrace */
#endif
	over();
	return unused;
}

static void *reader(void *unused)
{
	turn(1);
	pthread_rwlock_rdlock(&lock);
	copy = value; /* race 1 hmtrace */
	pthread_rwlock_unlock(&lock);
	return unused;
}

int main(void)
{
	two(writer, reader);
	return copy < 0;
}
