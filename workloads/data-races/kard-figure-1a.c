/* SPDX-License-Identifier: Apache-2.0 */
/* KARD, figure 1a: the second thread reads under another lock while the first one has the object to write. */
#include "turns.h"

static pthread_mutex_t la = PTHREAD_MUTEX_INITIALIZER, lb = PTHREAD_MUTEX_INITIALIZER;
int object, copy;

static void *writer(void *unused)
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

static void *reader(void *unused)
{
	turn(1);
#ifdef CORRECT
	pthread_mutex_lock(&la);
#endif
	pthread_mutex_lock(&lb);
	copy = object; /* race 1 */
	over();
	pthread_mutex_unlock(&lb);
#ifdef CORRECT
	pthread_mutex_unlock(&la);
#endif
	return unused;
}

int main(void)
{
	two(writer, reader);
	return 0;
}
