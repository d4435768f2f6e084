/* SPDX-License-Identifier: Apache-2.0 */
/* A block that one thread frees is given to another one: it is a new one. A pointer to the old one is not. */
#include "turns.h"

#include <stdlib.h>

#define SIZE 64
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *common;

static char *put(char *block)
{
	pthread_mutex_lock(&lock);
	char *old = common;
	common = block;
	pthread_mutex_unlock(&lock);
	return old;
}

static void *work(void *unused)
{
	for (int i = 0; i < 1000; i++) {
		char *block = malloc(SIZE);
		block[i % SIZE] = 1;
		free(put(block));
	}
	return unused;
}

static void *giver(void *unused)
{
	char *block = malloc(SIZE);
	put(block);
	over();
#ifndef CORRECT
	block[1] = 2; /* race 1 hmtrace */
#endif
	return unused;
}

static void *taker(void *unused)
{
	turn(1);
	char *block = put(NULL);
	block[1] = 3; /* race 1 hmtrace */
	return unused;
}

int main(void)
{
	two(work, work);
	two(giver, taker);
	return 0;
}
