/* SPDX-License-Identifier: Apache-2.0 */
/* HMTRace, figure 4, case g: two locks, after the first thread gave its own back. */
#include "turns.h"

static pthread_mutex_t x = PTHREAD_MUTEX_INITIALIZER, y = PTHREAD_MUTEX_INITIALIZER;
long object;

static void *one(void *unused)
{
	pthread_mutex_lock(&x);
	object = 1; /* race 1 hmtrace */
	pthread_mutex_unlock(&x);
	over();
	return unused;
}

static void *other(void *unused)
{
#ifdef CORRECT
	pthread_mutex_t *lock = &x;
#else
	pthread_mutex_t *lock = &y;
#endif
	turn(1);
	pthread_mutex_lock(lock);
	object = 2; /* race 1 hmtrace */
	pthread_mutex_unlock(lock);
	return unused;
}

int main(void)
{
	two(one, other);
	return object == 2 ? 0 : 1;
}
