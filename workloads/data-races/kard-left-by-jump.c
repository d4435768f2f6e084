/* SPDX-License-Identifier: Apache-2.0 */
/* A signal's handler jumps out of accesses to an object whose key another thread has. Its thread is watched as before. */
#include "turns.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

#define JUMPS 100
#define INTERVAL 500 /* microseconds */

static pthread_mutex_t la = PTHREAD_MUTEX_INITIALIZER, lb = PTHREAD_MUTEX_INITIALIZER;
static sigjmp_buf place;
struct {
	long first, second;
	volatile long third;
} object;

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

static void *holder(void *unused)
{
	pthread_mutex_lock(&la);
	object.first = 1;
	over();
	turn(2);
	object.second = 1; /* race 1 */
	pthread_mutex_unlock(&la);
	return unused;
}

static void *jumper(void *unused)
{
	static volatile int jumps;
	sigset_t alarms;
	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	signal(SIGALRM, jump);
	turn(1);
	pthread_mutex_lock(&lb);
	pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
	sigsetjmp(place, 1);
	if (jumps == 0)
		repeat(INTERVAL);
	if (jumps++ < JUMPS)
		for (long i = 0;; i++)
			object.third = i;
	repeat(0);
	pthread_sigmask(SIG_BLOCK, &alarms, NULL);
#ifndef CORRECT
	object.second = 2; /* race 1 */
#endif
	pthread_mutex_unlock(&lb);
	over();
	return unused;
}

int main(void)
{
	sigset_t alarms;
	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &alarms, NULL);
	two(holder, jumper);
	return 0;
}
