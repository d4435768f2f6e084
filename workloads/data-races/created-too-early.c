/* SPDX-License-Identifier: Apache-2.0 */
/* What a thread is to find is set after the thread was created. */
#include "turns.h"

int input, seen;

static void *work(void *unused)
{
#ifndef CORRECT
	turn(1);
#endif
	seen = input; /* race 1 hmtrace */
	return unused;
}

int main(void)
{
	pthread_t thread;
#ifdef CORRECT
	input = 1;
#endif
	pthread_create(&thread, NULL, work, NULL);
#ifndef CORRECT
	input = 1; /* race 1 hmtrace */
	over();
#endif
	pthread_join(thread, NULL);
	return seen < 0;
}
