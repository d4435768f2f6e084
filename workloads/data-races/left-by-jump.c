/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A signal's handler jumps out of whatever it interrupts, which mostly is the runtime: the thread does nothing but write
 * memory. It is watched as before then, and nobody waits for what it left.
 */
#include "turns.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

#define JUMPS 200
#define INTERVAL 300 /* microseconds */

static long page[512] __attribute__((aligned(4096)));
static volatile long beside[512] __attribute__((aligned(4096)));
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sigjmp_buf place;

static void lock(void)
{
#ifdef CORRECT
	pthread_mutex_lock(&mutex);
#endif
}

static void unlock(void)
{
#ifdef CORRECT
	pthread_mutex_unlock(&mutex);
#endif
}

static void jump(int signal)
{
	(void)signal;
	siglongjmp(place, 1);
}

static void repeat(long interval)
{
	struct itimerval timer = {.it_interval.tv_usec = interval, .it_value.tv_usec = interval};
	setitimer(ITIMER_REAL, &timer, NULL);
}

/* In one page it is alone. The other one is used by others, too. */
static __attribute__((noinline)) void write_for_ever(void)
{
	for (long i = 0;; i++) {
#ifndef CORRECT
		beside[511] = i; /* race 2 hmtrace */
#endif
		page[16 + i % 200] = i;
		beside[i % 200] = i;
	}
}

static void *jumper(void *none)
{
	static volatile int jumps;
	sigset_t alarms;
	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	signal(SIGALRM, jump);
	turn(1);
	pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
	sigsetjmp(place, 1);
	if (jumps == 0)
		repeat(INTERVAL);
	if (jumps++ < JUMPS)
		write_for_ever();
	repeat(0);
	pthread_sigmask(SIG_BLOCK, &alarms, NULL);
	lock();
	page[0] = 1; /* race 1 hmtrace */
	unlock();
	over();
	turn(3);
	return none;
}

static void *other(void *none)
{
	for (int i = 300; i < 511; i++)
		beside[i] = i;
	beside[511] = 1; /* race 2 hmtrace */
	over();
	turn(2);
	page[400] = 1;
	lock();
	page[0] = 2; /* race 1 hmtrace */
	unlock();
	over();
	return none;
}

int main(void)
{
	sigset_t alarms;
	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &alarms, NULL);
	two(jumper, other);
	return page[0] == 0 || beside[301] == 0;
}
