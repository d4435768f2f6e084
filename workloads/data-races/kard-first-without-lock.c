/* SPDX-License-Identifier: Apache-2.0 */
/* KARD, table 1, third row: the first thread holds no lock, the second one does. KARD needs to know the object. */
#include "turns.h"

static pthread_mutex_t lb = PTHREAD_MUTEX_INITIALIZER;
int object;

static void *one(void *unused)
{
	turn(1);
#ifdef CORRECT
	turn(2);
	pthread_mutex_lock(&lb);
#endif
	object = 1; /* race 1 */
#ifdef CORRECT
	pthread_mutex_unlock(&lb);
#endif
	over();
	return unused;
}

static void *other(void *unused)
{
	pthread_mutex_lock(&lb);
	object = 2; /* race 1 */
	over();
#ifdef CORRECT
	over();
#else
	turn(2);
#endif
	pthread_mutex_unlock(&lb);
	return unused;
}

int main(void)
{
	two(one, other);
	return 0;
}
