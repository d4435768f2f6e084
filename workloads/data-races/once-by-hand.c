/* SPDX-License-Identifier: Apache-2.0 */
/* A variable is initialised by whoever comes first; double-checked, without order. */
#include "turns.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
int done, value;

static void initialise(void)
{
	value = 7;
	done = 1; /* race 1 hmtrace */
}

static void *first(void *unused)
{
#ifdef CORRECT
	pthread_once(&once, initialise);
#else
	pthread_mutex_lock(&lock);
	initialise();
	pthread_mutex_unlock(&lock);
#endif
	over();
	return unused;
}

static void *second(void *unused)
{
	turn(1);
#ifdef CORRECT
	pthread_once(&once, initialise);
	return done + value == 8 ? unused : NULL;
#else
	return done == 0 ? unused : NULL; /* race 1 hmtrace */
#endif
}

int main(void)
{
	(void)lock, (void)once;
	two(first, second);
	return 0;
}
