/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Synchronises in all ways, and loads from PM. What it says are the records of its first thread for the objects in
 * `all`, in their order: what happened, kind, place in `all`, mode. Run with "alone", it starts no thread.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <threads.h>
#include <time.h>

#include "pm.h"

static struct {
	pthread_mutex_t normal;
	pthread_mutex_t recursive;
	pthread_mutex_t checking;
	mtx_t c11;
	pthread_rwlock_t rwlock;
	pthread_spinlock_t spin;
	pthread_cond_t condition;
	pthread_barrier_t barrier;
	sem_t semaphore;
	sem_t stop;
	pthread_once_t once;
	cnd_t c11_condition;
} all;

#define ACQUIRED(kind, object) say("ACQUIRE %s %zu", kind, (size_t)((char *)&(object) - (char *)&all))
#define SHARED(kind, object) say("ACQUIRE %s %zu shared", kind, (size_t)((char *)&(object) - (char *)&all))
#define RELEASED(kind, object) say("RELEASE %s %zu", kind, (size_t)((char *)&(object) - (char *)&all))

static struct timespec past = {1, 0};
static struct timespec future;

static void mutexes(void)
{
	CHECK(pthread_mutex_lock(&all.normal) == 0);
	ACQUIRED("mutex", all.normal);
	CHECK(pthread_mutex_trylock(&all.normal) == EBUSY);
	CHECK(pthread_mutex_timedlock(&all.normal, &past) == ETIMEDOUT);
	CHECK(pthread_mutex_unlock(&all.normal) == 0);
	RELEASED("mutex", all.normal);
	CHECK(pthread_mutex_trylock(&all.normal) == 0);
	ACQUIRED("mutex", all.normal);
	pthread_mutex_unlock(&all.normal);
	RELEASED("mutex", all.normal);
	CHECK(pthread_mutex_timedlock(&all.normal, &future) == 0);
	ACQUIRED("mutex", all.normal);
	pthread_mutex_unlock(&all.normal);
	RELEASED("mutex", all.normal);

	for (int i = 0; i < 3; i++) {
		CHECK(pthread_mutex_lock(&all.recursive) == 0);
		ACQUIRED("mutex", all.recursive);
	}
	for (int i = 0; i < 3; i++) {
		CHECK(pthread_mutex_unlock(&all.recursive) == 0);
		RELEASED("mutex", all.recursive);
	}
	CHECK(pthread_mutex_lock(&all.checking) == 0);
	ACQUIRED("mutex", all.checking);
	CHECK(pthread_mutex_lock(&all.checking) == EDEADLK);
	CHECK(pthread_mutex_unlock(&all.checking) == 0);
	RELEASED("mutex", all.checking);

	CHECK(mtx_lock(&all.c11) == thrd_success);
	ACQUIRED("mutex", all.c11);
	CHECK(mtx_trylock(&all.c11) == thrd_busy);
	CHECK(mtx_unlock(&all.c11) == thrd_success);
	RELEASED("mutex", all.c11);
}

static void other_locks(void)
{
	CHECK(pthread_rwlock_rdlock(&all.rwlock) == 0);
	SHARED("rwlock", all.rwlock);
	CHECK(pthread_rwlock_tryrdlock(&all.rwlock) == 0);
	SHARED("rwlock", all.rwlock);
	CHECK(pthread_rwlock_trywrlock(&all.rwlock) == EBUSY);
	CHECK(pthread_rwlock_timedwrlock(&all.rwlock, &past) == ETIMEDOUT);
	pthread_rwlock_unlock(&all.rwlock);
	RELEASED("rwlock", all.rwlock);
	pthread_rwlock_unlock(&all.rwlock);
	RELEASED("rwlock", all.rwlock);
	CHECK(pthread_rwlock_wrlock(&all.rwlock) == 0);
	ACQUIRED("rwlock", all.rwlock);
	CHECK(pthread_rwlock_tryrdlock(&all.rwlock) == EBUSY);
	pthread_rwlock_unlock(&all.rwlock);
	RELEASED("rwlock", all.rwlock);
	CHECK(pthread_rwlock_timedrdlock(&all.rwlock, &future) == 0);
	SHARED("rwlock", all.rwlock);
	pthread_rwlock_unlock(&all.rwlock);
	RELEASED("rwlock", all.rwlock);

	CHECK(pthread_spin_lock(&all.spin) == 0);
	ACQUIRED("spin", all.spin);
	CHECK(pthread_spin_trylock(&all.spin) == EBUSY);
	pthread_spin_unlock(&all.spin);
	RELEASED("spin", all.spin);
}

static void called_once(void)
{
	CHECK(pthread_mutex_lock(&all.normal) == 0);
	ACQUIRED("mutex", all.normal);
	pthread_mutex_unlock(&all.normal);
	RELEASED("mutex", all.normal);
}

static void orders(void)
{
	CHECK(sem_trywait(&all.semaphore) == -1 && errno == EAGAIN);
	CHECK(sem_timedwait(&all.semaphore, &past) == -1);
	CHECK(sem_post(&all.semaphore) == 0);
	RELEASED("semaphore", all.semaphore);
	CHECK(sem_wait(&all.semaphore) == 0);
	ACQUIRED("semaphore", all.semaphore);

	pthread_once(&all.once, called_once);
	RELEASED("once", all.once);
	pthread_once(&all.once, called_once);
	ACQUIRED("once", all.once);

	CHECK(pthread_barrier_wait(&all.barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
	RELEASED("barrier", all.barrier);
	ACQUIRED("barrier", all.barrier);

	pthread_mutex_lock(&all.normal);
	ACQUIRED("mutex", all.normal);
	CHECK(pthread_cond_timedwait(&all.condition, &all.normal, &past) == ETIMEDOUT);
	RELEASED("mutex", all.normal);
	ACQUIRED("mutex", all.normal);
	CHECK(cnd_timedwait(&all.c11_condition, (mtx_t *)&all.normal, &past) == thrd_timedout);
	RELEASED("mutex", all.normal);
	ACQUIRED("mutex", all.normal);
	pthread_cond_broadcast(&all.condition);
	RELEASED("condition", all.condition);
	pthread_mutex_unlock(&all.normal);
	RELEASED("mutex", all.normal);
}

static int asked;

static void *answer(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&all.normal);
	while (!asked)
		pthread_cond_wait(&all.condition, &all.normal);
	asked = 2;
	pthread_cond_signal(&all.condition);
	pthread_mutex_unlock(&all.normal);
	return NULL;
}

/* Only this thread waits and is woken, so the number of times is known. */
static void condition(void)
{
	pthread_t thread;
	CHECK(pthread_mutex_lock(&all.normal) == 0);
	ACQUIRED("mutex", all.normal);
	CHECK(pthread_create(&thread, NULL, answer, NULL) == 0);
	asked = 1;
	while (asked == 1) {
		pthread_cond_wait(&all.condition, &all.normal);
		RELEASED("mutex", all.normal);
		ACQUIRED("condition", all.condition);
		ACQUIRED("mutex", all.normal);
	}
	pthread_mutex_unlock(&all.normal);
	RELEASED("mutex", all.normal);
	pthread_join(thread, NULL);
}

static void *wait_for_the_end(void *unused)
{
	(void)unused;
	while (sem_wait(&all.stop) != 0)
		continue;
	return NULL;
}

static __attribute__((noinline)) long load_at(const volatile long *pm, int index)
{
	return pm[index];
}

static volatile int three = 3;

/* Three times in a loop: one record; after an acquire, and from elsewhere, another one. */
static void loads(volatile long *pm)
{
	for (int i = 0; i < three; i++)
		load_at(pm, 100);
	pthread_mutex_lock(&all.normal);
	ACQUIRED("mutex", all.normal);
	for (int i = 0; i < three; i++)
		load_at(pm, 100);
	pthread_mutex_unlock(&all.normal);
	RELEASED("mutex", all.normal);
	load_at(pm, 101);
}

int main(int count, char **arguments)
{
	pthread_mutexattr_t attributes;
	pthread_t waiting;
	long *pm;
	CHECK(count >= 2);
	pthread_mutex_init(&all.normal, NULL);
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&all.recursive, &attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&all.checking, &attributes);
	mtx_init(&all.c11, mtx_plain);
	pthread_rwlock_init(&all.rwlock, NULL);
	pthread_barrier_init(&all.barrier, NULL, 1);
	pthread_cond_init(&all.condition, NULL);
	cnd_init(&all.c11_condition);
	sem_init(&all.semaphore, 0, 0);
	sem_init(&all.stop, 0, 0);
	pthread_spin_init(&all.spin, 0);
	clock_gettime(CLOCK_REALTIME, &future);
	future.tv_sec += 1000;
	say("all %p %zu", (void *)&all, sizeof all);
	CHECK(chdir(arguments[1]) == 0);
	pm = (long *)map_file("pool", 4096);
	bool is_alone = count > 2;
	if (!is_alone)
		CHECK(pthread_create(&waiting, NULL, wait_for_the_end, NULL) == 0);
	RELEASED("spin", all.spin); /* its initialisation is one function with its release */
	mutexes();
	other_locks();
	orders();
	loads(pm);
	if (is_alone) {
		say_all();
		return 0;
	}
	condition();
	sem_post(&all.stop);
	RELEASED("semaphore", all.stop);
	pthread_join(waiting, NULL);
	say_all();
	return 0;
}
