/* SPDX-License-Identifier: Apache-2.0 */
/* KARD, section 5.5: the holder has used other bytes of the object, and uses the same ones later in its section. */
#include "turns.h"

static pthread_mutex_t la = PTHREAD_MUTEX_INITIALIZER, lb = PTHREAD_MUTEX_INITIALIZER;
struct {
	long first, second, third;
} object;

static void *holder(void *unused)
{
	pthread_mutex_lock(&la);
	object.first = 1;
	over();
	turn(2);
	object.second = 1; /* race 1 */
	pthread_mutex_unlock(&la);
	return unused;
}

static void *other(void *unused)
{
	turn(1);
	pthread_mutex_lock(&lb);
#ifdef CORRECT
	object.third = 2;
#else
	object.second = 2; /* race 1 */
#endif
	pthread_mutex_unlock(&lb);
	over();
	return unused;
}

int main(void)
{
	two(holder, other);
	return 0;
}
