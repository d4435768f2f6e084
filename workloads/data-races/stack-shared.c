/* SPDX-License-Identifier: Apache-2.0 */
/* A variable on the stack of main, whose address both threads have. */
#include "turns.h"

static void *add(void *argument)
{
	int *object = argument;
#ifdef CORRECT
	atomic_fetch_add((atomic_int *)object, 1);
#else
	*object = *object + 1; /* race 1 hmtrace */
#endif
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	int object = 0;
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, add, &object);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return object > 2;
}
