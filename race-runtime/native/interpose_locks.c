/* SPDX-License-Identifier: Apache-2.0 */
/* Locks of pthread and C11: taken after the real call, given back before it. */
#include "detector.h"
#include "interpose.h"
#include "kard.h"
#include "keys.h"
#include "locksets.h"
#include "stacks.h"
#include "start.h"
#include "syncs.h"

#include <errno.h>
#include <pthread.h>
#include <threads.h>
#include <time.h>

void lock_is_taken(const void *lock, enum lock_mode mode, struct site site)
{
	struct thread *me = watched();
	if (me == NULL)
		return;
	keys_open();
	me->inside++;
	uint32_t where = stack_of(me, site.pc, site.sp);
	lock_acquired(me, lock, mode, where);
	if (with_kard)
		kard_enter(me, where);
	if (mode == LOCK_EXCLUSIVE)
		sync_acquire_exclusive(me, lock);
	else
		sync_acquire(me, lock);
	noise(me, NOISE_SYNC);
	me->inside--;
	keys_close();
}

void lock_is_given_back(const void *lock)
{
	struct thread *me = watched();
	if (me == NULL)
		return;
	keys_open();
	me->inside++;
	if (with_kard)
		kard_exit(me);
	if (lock_released(me, lock) == LOCK_SHARED)
		sync_release_shared(me, lock);
	else
		sync_release_only(me, lock);
	me->inside--;
	keys_close();
}

void lock_is_forgotten(const void *lock)
{
	struct thread *me = watched();
	if (me == NULL)
		return;
	me->inside++;
	sync_forget(lock);
	me->inside--;
}

/* A robust lock whose owner died is taken too. */
static int took(int result, const void *lock, enum lock_mode mode, struct site site)
{
	if (result == 0 || result == EOWNERDEAD)
		lock_is_taken(lock, mode, site);
	return result;
}

#define TAKES(type, name, mode) \
	REAL(int, name, type *) \
	EXPORT int name(type *lock) \
	{ \
		return took(KEYS_OPEN(real_##name()(lock)), (void *)lock, mode, SITE_HERE); \
	}

#define TAKES_IN_TIME(type, name, mode) \
	REAL(int, name, type *, const struct timespec *) \
	EXPORT int name(type *lock, const struct timespec *until) \
	{ \
		return took(KEYS_OPEN(real_##name()(lock, until)), (void *)lock, mode, SITE_HERE); \
	}

#define TAKES_BY_CLOCK(type, name, mode) \
	REAL(int, name, type *, clockid_t, const struct timespec *) \
	EXPORT int name(type *lock, clockid_t clock, const struct timespec *until) \
	{ \
		return took(KEYS_OPEN(real_##name()(lock, clock, until)), (void *)lock, mode, SITE_HERE); \
	}

#define GIVES_BACK(type, name) \
	REAL(int, name, type *) \
	EXPORT int name(type *lock) \
	{ \
		lock_is_given_back((void *)lock); \
		return KEYS_OPEN(real_##name()(lock)); \
	}

#define ENDS(type, name) \
	REAL(int, name, type *) \
	EXPORT int name(type *lock) \
	{ \
		int result = KEYS_OPEN(real_##name()(lock)); \
		if (result == 0) \
			lock_is_forgotten((void *)lock); \
		return result; \
	}

TAKES(pthread_mutex_t, pthread_mutex_lock, LOCK_EXCLUSIVE)
TAKES(pthread_mutex_t, pthread_mutex_trylock, LOCK_EXCLUSIVE)
TAKES_IN_TIME(pthread_mutex_t, pthread_mutex_timedlock, LOCK_EXCLUSIVE)
TAKES_BY_CLOCK(pthread_mutex_t, pthread_mutex_clocklock, LOCK_EXCLUSIVE)
GIVES_BACK(pthread_mutex_t, pthread_mutex_unlock)
ENDS(pthread_mutex_t, pthread_mutex_destroy)

TAKES(pthread_rwlock_t, pthread_rwlock_rdlock, LOCK_SHARED)
TAKES(pthread_rwlock_t, pthread_rwlock_tryrdlock, LOCK_SHARED)
TAKES_IN_TIME(pthread_rwlock_t, pthread_rwlock_timedrdlock, LOCK_SHARED)
TAKES_BY_CLOCK(pthread_rwlock_t, pthread_rwlock_clockrdlock, LOCK_SHARED)
TAKES(pthread_rwlock_t, pthread_rwlock_wrlock, LOCK_EXCLUSIVE)
TAKES(pthread_rwlock_t, pthread_rwlock_trywrlock, LOCK_EXCLUSIVE)
TAKES_IN_TIME(pthread_rwlock_t, pthread_rwlock_timedwrlock, LOCK_EXCLUSIVE)
TAKES_BY_CLOCK(pthread_rwlock_t, pthread_rwlock_clockwrlock, LOCK_EXCLUSIVE)
GIVES_BACK(pthread_rwlock_t, pthread_rwlock_unlock)
ENDS(pthread_rwlock_t, pthread_rwlock_destroy)

TAKES(pthread_spinlock_t volatile, pthread_spin_lock, LOCK_EXCLUSIVE)
TAKES(pthread_spinlock_t volatile, pthread_spin_trylock, LOCK_EXCLUSIVE)
GIVES_BACK(pthread_spinlock_t volatile, pthread_spin_unlock)
ENDS(pthread_spinlock_t volatile, pthread_spin_destroy)

TAKES(mtx_t, mtx_lock, LOCK_EXCLUSIVE)
TAKES(mtx_t, mtx_trylock, LOCK_EXCLUSIVE)
TAKES_IN_TIME(mtx_t, mtx_timedlock, LOCK_EXCLUSIVE)
GIVES_BACK(mtx_t, mtx_unlock)

REAL(void, mtx_destroy, mtx_t *)
EXPORT void mtx_destroy(mtx_t *lock)
{
	real_mtx_destroy()(lock);
	lock_is_forgotten(lock);
}

/* A condition variable gives its lock back while it waits. A cancelled wait has the lock again. */
struct wait {
	void *lock;
	struct site site;
};

static void waited(void *argument)
{
	struct wait *wait = argument;
	lock_is_taken(wait->lock, LOCK_EXCLUSIVE, wait->site);
	keys_close();
}

#define WAITS(name, condition_type, lock_type, call, ...) \
	EXPORT int name(condition_type *condition, lock_type *lock, ##__VA_ARGS__) \
	{ \
		struct wait wait = {lock, SITE_HERE}; \
		int result; \
		lock_is_given_back(lock); \
		keys_open(); \
		pthread_cleanup_push(waited, &wait); \
		result = call; \
		pthread_cleanup_pop(1); \
		return result; \
	}

REAL(int, pthread_cond_wait, pthread_cond_t *, pthread_mutex_t *)
REAL(int, pthread_cond_timedwait, pthread_cond_t *, pthread_mutex_t *, const struct timespec *)
REAL(int, pthread_cond_clockwait, pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *)
REAL(int, cnd_wait, cnd_t *, mtx_t *)
REAL(int, cnd_timedwait, cnd_t *, mtx_t *, const struct timespec *)

WAITS(pthread_cond_wait, pthread_cond_t, pthread_mutex_t, real_pthread_cond_wait()(condition, lock))
WAITS(pthread_cond_timedwait, pthread_cond_t, pthread_mutex_t, real_pthread_cond_timedwait()(condition, lock, until),
		const struct timespec *until)
WAITS(pthread_cond_clockwait, pthread_cond_t, pthread_mutex_t,
		real_pthread_cond_clockwait()(condition, lock, clock, until), clockid_t clock, const struct timespec *until)
WAITS(cnd_wait, cnd_t, mtx_t, real_cnd_wait()(condition, lock))
WAITS(cnd_timedwait, cnd_t, mtx_t, real_cnd_timedwait()(condition, lock, until), const struct timespec *until)
