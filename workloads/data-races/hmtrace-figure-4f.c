/* SPDX-License-Identifier: Apache-2.0 */
/* HMTRace, figure 4, case f: the second access lacks the lock, after the first one gave it back. */
#include "turns.h"

static pthread_mutex_t x = PTHREAD_MUTEX_INITIALIZER;
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
	turn(1);
#ifdef CORRECT
	pthread_mutex_lock(&x);
#endif
	object = 2; /* race 1 hmtrace */
#ifdef CORRECT
	pthread_mutex_unlock(&x);
#endif
	return unused;
}

int main(void)
{
	two(one, other);
	return object == 2 ? 0 : 1;
}
