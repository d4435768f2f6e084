/* SPDX-License-Identifier: Apache-2.0 */
/* A block is freed while another thread may still use it. */
#include "turns.h"

#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
long *block;

static void *user(void *unused)
{
	pthread_mutex_lock(&lock);
	if (block != NULL)
		block[2] = 1; /* race 1 hmtrace */
	pthread_mutex_unlock(&lock);
	over();
	return unused;
}

static void *owner(void *unused)
{
	turn(1);
#ifdef CORRECT
	pthread_mutex_lock(&lock);
	free(block);
	block = NULL;
	pthread_mutex_unlock(&lock);
#else
	free(block); /* race 1 hmtrace */
#endif
	return unused;
}

int main(void)
{
	block = calloc(4, sizeof *block);
	two(user, owner);
	return 0;
}
