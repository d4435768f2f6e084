/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Children of a process with several threads, which were busy with pages of their own as it forked. In the child only one
 * thread is left; those that it creates use the same pages.
 */
#include "turns.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILDREN 20
#define OWNERS 3

static long pages[OWNERS + 1][512] __attribute__((aligned(4096)));
static atomic_int stop, published;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *owner(void *which)
{
	long *page = pages[(long)which];
	for (long i = 0; !atomic_load_explicit(&stop, memory_order_relaxed); i++) {
		atomic_store_explicit(&published, 1, memory_order_release); /* each write is a new one */
		for (int j = 0; j < 20; j++)
			page[j] = i;
		pages[OWNERS][(long)which * 100 + i % 100] = i; /* neighbours */
	}
	return NULL;
}

static void *in_child(void *number)
{
	long sum = 0;
	for (int i = 0; i <= OWNERS; i++)
		for (int j = OWNERS + 1; j < 512; j++)
			sum += pages[i][j];
#ifdef CORRECT
	pthread_mutex_lock(&mutex);
#endif
	for (int i = 0; i <= OWNERS; i++)
		pages[i][i] = (long)number; /* race 1 hmtrace */
#ifdef CORRECT
	pthread_mutex_unlock(&mutex);
#endif
	return sum < 0 ? number : NULL;
}

int main(void)
{
	pthread_t owners[OWNERS];
	(void)mutex;
	for (long i = 0; i < OWNERS; i++)
		pthread_create(&owners[i], NULL, owner, (void *)i);
	int failed = 0;
	for (int i = 0; i < CHILDREN; i++) {
		usleep(1000);
		pid_t child = fork();
		if (child == 0) {
			two(in_child, in_child);
			_exit(0);
		}
		int status = 1;
		failed |= waitpid(child, &status, 0) != child || status != 0;
	}
	atomic_store_explicit(&stop, 1, memory_order_relaxed);
	for (int i = 0; i < OWNERS; i++)
		pthread_join(owners[i], NULL);
	return failed;
}
