/* SPDX-License-Identifier: Apache-2.0 */
/* The result of a detached thread, with or without a semaphore. */
#include "turns.h"

#include <semaphore.h>

static sem_t done;
int result;

static void *work(void *unused)
{
	result = 1; /* race 1 hmtrace */
#ifdef CORRECT
	sem_post(&done);
#endif
	over();
	return unused;
}

int main(void)
{
	pthread_t thread;
	sem_init(&done, 0, 0);
	pthread_create(&thread, NULL, work, NULL);
	pthread_detach(thread);
#ifdef CORRECT
	sem_wait(&done);
#endif
	turn(1);
	return result < 0; /* race 1 hmtrace */
}
