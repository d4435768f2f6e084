/* SPDX-License-Identifier: Apache-2.0 */
/* Both threads hold the lock, but only to read; they write. */
#include "turns.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int object;

static void *add(void *unused)
{
#ifdef CORRECT
	pthread_rwlock_wrlock(&lock);
#else
	pthread_rwlock_rdlock(&lock);
#endif
	object = object + 1; /* race 1 */
#ifndef CORRECT
	over();
	turn(2);
#endif
	pthread_rwlock_unlock(&lock);
	return unused;
}

int main(void)
{
	two(add, add);
	return 0;
}
