/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Very many threads that all live at once, twice; each finds the state in which the kernel starts a thread. */
#include "pm.h"

#include <pthread.h>
#include <signal.h>

#define THREADS 200

static char *pm;
static pthread_barrier_t barrier;
static __thread volatile sig_atomic_t handled;

static void handler(int number)
{
	handled = number;
}

static void *live(void *argument)
{
	long number = (long)argument;
	stack_t alternate;
	sigset_t blocked;
	CHECK(sigaltstack(NULL, &alternate) == 0 && alternate.ss_flags == SS_DISABLE);
	CHECK(pthread_sigmask(SIG_BLOCK, NULL, &blocked) == 0 && !sigismember(&blocked, SIGUSR1));
	pthread_barrier_wait(&barrier);
	CHECK(pthread_kill(pthread_self(), SIGUSR1) == 0 && handled == SIGUSR1);
	*(long *)(pm + 64 * number) = number;
	persist(pm + 64 * number);
	pthread_barrier_wait(&barrier);
	return NULL;
}

int main(int argc, char **argv)
{
	CHECK(argc == 2 && chdir(argv[1]) == 0);
	pm = map_file("crowd", 65536);
	signal(SIGUSR1, handler);
	pthread_attr_t small;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (int round = 0; round < 2; round++) {
		pthread_t threads[THREADS];
		for (long i = 0; i < THREADS; i++)
			CHECK(pthread_create(&threads[i], &small, live, (void *)(i + round)) == 0);
		for (long i = 0; i < THREADS; i++)
			CHECK(pthread_join(threads[i], NULL) == 0);
	}
	return 0;
}
