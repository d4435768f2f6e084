/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mutexes that are given back by a thread that does not hold them, waits that fail, and threads that end in a lock's
 * function. What it says are the records of its first thread for the objects in `all`, as locks.c does.
 */
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include "pm.h"

static struct {
	pthread_mutex_t normal;
	pthread_mutex_t recursive;
	pthread_mutex_t checking;
	pthread_mutex_t robust;
	pthread_cond_t condition;
	sem_t begun;
	sem_t never;
} all;

#define ACQUIRED(kind, object) say("ACQUIRE %s %zu", kind, (size_t)((char *)&(object) - (char *)&all))
#define RELEASED(kind, object) say("RELEASE %s %zu", kind, (size_t)((char *)&(object) - (char *)&all))

static void make(pthread_mutex_t *mutex, int type, int robust)
{
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, type);
	pthread_mutexattr_setrobust(&attributes, robust);
	pthread_mutex_init(mutex, &attributes);
}

/* A mutex that is not held: what checks itself fails. */
static void not_held(void)
{
	CHECK(pthread_mutex_unlock(&all.checking) == EPERM);
	CHECK(pthread_mutex_unlock(&all.recursive) == EPERM);
	CHECK(pthread_mutex_unlock(&all.robust) == EPERM);
	CHECK(pthread_mutex_unlock(&all.normal) == 0);
	RELEASED("mutex", all.normal);
	CHECK(pthread_mutex_lock(&all.recursive) == 0);
	ACQUIRED("mutex", all.recursive);
	CHECK(pthread_mutex_unlock(&all.recursive) == 0);
	RELEASED("mutex", all.recursive);
	CHECK(pthread_mutex_unlock(&all.recursive) == EPERM);
}

static void *holds(void *unused)
{
	(void)unused;
	CHECK(pthread_mutex_lock(&all.checking) == 0);
	CHECK(pthread_mutex_lock(&all.recursive) == 0);
	CHECK(pthread_mutex_lock(&all.robust) == 0);
	sem_post(&all.begun);
	while (sem_wait(&all.never) != 0)
		continue;
	CHECK(pthread_mutex_unlock(&all.checking) == 0);
	CHECK(pthread_mutex_unlock(&all.recursive) == 0);
	return NULL; /* and dies with the robust one */
}

/* Another thread has it. */
static void of_another_thread(void)
{
	pthread_t thread;
	CHECK(pthread_create(&thread, NULL, holds, NULL) == 0);
	while (sem_wait(&all.begun) != 0)
		continue;
	ACQUIRED("semaphore", all.begun);
	CHECK(pthread_mutex_unlock(&all.checking) == EPERM);
	CHECK(pthread_mutex_unlock(&all.recursive) == EPERM);
	CHECK(pthread_mutex_unlock(&all.robust) == EPERM);
	CHECK(pthread_cond_wait(&all.condition, &all.checking) == EPERM);
	sem_post(&all.never);
	RELEASED("semaphore", all.never);
	pthread_join(thread, NULL);
	CHECK(pthread_mutex_lock(&all.robust) == EOWNERDEAD);
	ACQUIRED("mutex", all.robust);
	CHECK(pthread_mutex_consistent(&all.robust) == 0);
	CHECK(pthread_mutex_unlock(&all.robust) == 0);
	RELEASED("mutex", all.robust);
}

/* A wait that fails leaves the mutex locked. */
static void failing_wait(void)
{
	struct timespec wrong = {0, 2000000000};
	CHECK(pthread_mutex_lock(&all.normal) == 0);
	ACQUIRED("mutex", all.normal);
	CHECK(pthread_cond_timedwait(&all.condition, &all.normal, &wrong) == EINVAL);
	RELEASED("mutex", all.normal);
	ACQUIRED("mutex", all.normal);
	CHECK(pthread_mutex_unlock(&all.normal) == 0);
	RELEASED("mutex", all.normal);
}

static void *ends_waiting(void *unused)
{
	sem_post(&all.begun);
	while (unused == NULL)
		sem_wait(&all.never);
	return NULL;
}

static void *locks(void *unused)
{
	(void)unused;
	CHECK(pthread_mutex_lock(&all.normal) == 0);
	CHECK(pthread_mutex_unlock(&all.normal) == 0);
	return NULL;
}

/* The second thread, which Valgrind gives the first one's number, is recorded like any other. */
static void cancelled(void)
{
	pthread_t thread;
	CHECK(pthread_create(&thread, NULL, ends_waiting, NULL) == 0);
	while (sem_wait(&all.begun) != 0)
		continue;
	ACQUIRED("semaphore", all.begun);
	pthread_cancel(thread);
	pthread_join(thread, NULL);
	CHECK(pthread_create(&thread, NULL, locks, NULL) == 0);
	pthread_join(thread, NULL);
}

int main(int count, char **arguments)
{
	CHECK(count >= 2);
	make(&all.normal, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
	make(&all.recursive, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED);
	make(&all.checking, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED);
	make(&all.robust, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
	pthread_cond_init(&all.condition, NULL);
	sem_init(&all.begun, 0, 0);
	sem_init(&all.never, 0, 0);
	say("all %p %zu", (void *)&all, sizeof all);
	CHECK(chdir(arguments[1]) == 0);
	not_held();
	of_another_thread();
	failing_wait();
	cancelled();
	say_all();
	return 0;
}
