/* SPDX-License-Identifier: Apache-2.0 */
/* A result is read before its thread is joined. */
#include "turns.h"

int result;

static void *work(void *unused)
{
	result = 1; /* race 1 hmtrace */
	over();
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
#ifdef CORRECT
	pthread_join(thread, NULL);
#else
	turn(1);
#endif
	int seen = result; /* race 1 hmtrace */
#ifndef CORRECT
	pthread_join(thread, NULL);
#endif
	return seen < 0;
}
