/* SPDX-License-Identifier: Apache-2.0 */
/* The stack of an access after longjmp is that of the function that came back. */
#include "turns.h"

#include <setjmp.h>

int object;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static __attribute__((noinline)) void leave(jmp_buf *place, int depth)
{
	if (depth > 100)
		return;
	if (depth == 0)
		longjmp(*place, 1);
	leave(place, depth - 1);
}

static void *add(void *unused)
{
	jmp_buf place;
	if (setjmp(place) == 0)
		leave(&place, 10);
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
