/* SPDX-License-Identifier: Apache-2.0 */
/* KARD, table 1, fourth row: neither thread holds a lock. Out of KARD's scope. */
#include "turns.h"

int object;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *unused)
{
#ifdef CORRECT
	pthread_mutex_lock(&lock);
#endif
	object = object + 1; /* race 1 hmtrace */
#ifdef CORRECT
	pthread_mutex_unlock(&lock);
#endif
	return unused;
}

int main(void)
{
	(void)lock;
	two(add, add);
	return 0;
}
