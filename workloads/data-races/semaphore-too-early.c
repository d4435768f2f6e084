/* SPDX-License-Identifier: Apache-2.0 */
/* A semaphore is posted before the data are there. */
#include "turns.h"

#include <semaphore.h>

static sem_t semaphore;
int data, copy;

static void *producer(void *unused)
{
#ifndef CORRECT
	sem_post(&semaphore);
#endif
	data = 42; /* race 1 hmtrace */
#ifdef CORRECT
	sem_post(&semaphore);
#endif
	return unused;
}

static void *consumer(void *unused)
{
	sem_wait(&semaphore);
	copy = data; /* race 1 hmtrace */
	return unused;
}

int main(void)
{
	sem_init(&semaphore, 0, 0);
	two(producer, consumer);
	return 0;
}
