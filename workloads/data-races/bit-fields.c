/* SPDX-License-Identifier: Apache-2.0 */
/* Two bit-fields of one byte: a write of the one writes the other too. The sections do not overlap, as KARD would want. */
#include "turns.h"

struct {
	unsigned char left : 4, right : 4;
} fields;
static pthread_mutex_t la = PTHREAD_MUTEX_INITIALIZER, lb = PTHREAD_MUTEX_INITIALIZER;

static void *left(void *unused)
{
	pthread_mutex_lock(&la);
	fields.left = 1; /* race 1 hmtrace */
	pthread_mutex_unlock(&la);
	over();
	return unused;
}

static void *right(void *unused)
{
#ifdef CORRECT
	pthread_mutex_t *lock = &la;
#else
	pthread_mutex_t *lock = &lb;
#endif
	turn(1);
	pthread_mutex_lock(lock);
	fields.right = 2; /* race 1 hmtrace */
	pthread_mutex_unlock(lock);
	return unused;
}

int main(void)
{
	(void)lb;
	two(left, right);
	return 0;
}
