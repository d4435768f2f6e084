/* SPDX-License-Identifier: Apache-2.0 */
/* KARD, figure 1b: both threads only read, under different locks. */
#include "turns.h"

static pthread_mutex_t la = PTHREAD_MUTEX_INITIALIZER, lb = PTHREAD_MUTEX_INITIALIZER;
int object, first, second;

static void *one(void *unused)
{
	pthread_mutex_lock(&la);
	first = object;
	over();
	turn(2);
	pthread_mutex_unlock(&la);
	return unused;
}

static void *other(void *unused)
{
	turn(1);
	pthread_mutex_lock(&lb);
	second = object;
	over();
	pthread_mutex_unlock(&lb);
	return unused;
}

int main(void)
{
	object = 7;
	two(one, other);
	return first + second == 14 ? 0 : 1;
}
