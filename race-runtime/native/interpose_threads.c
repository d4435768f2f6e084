/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that begin and end, and what orders them besides locks: barriers, semaphores, once. */
#include "detector.h"
#include "interpose.h"
#include "keys.h"
#include "modules.h"
#include "report.h"
#include "stacks.h"
#include "start.h"
#include "syncs.h"

#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

#define ROUNDS 4 /* of destructors, PTHREAD_DESTRUCTOR_ITERATIONS */

__thread struct site creator;

static pthread_key_t end_key;
static pthread_once_t end_key_once = PTHREAD_ONCE_INIT;

REAL(int, pthread_once, pthread_once_t *, void (*)(void))
REAL(int, pthread_create, pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)

/* Destructors of the program may come after this one, so it asks to be called again as often as it can. */
static void at_thread_end(void *argument)
{
	struct thread *me = argument;
	if (++me->endings < ROUNDS) {
		pthread_setspecific(end_key, me);
		return;
	}
	thread_end(me);
}

static void make_end_key(void)
{
	pthread_key_create(&end_key, at_thread_end);
}

static void *thread_body(void *argument)
{
	struct thread *me = argument;
	thread_begin(me);
	noise(me, NOISE_SYNC);
	pthread_setspecific(end_key, me);
	keys_open(); /* and what it begins with */
	keys_close();
	return me->body(me->argument);
}

static bool is_detached(const pthread_attr_t *attributes)
{
	int state = PTHREAD_CREATE_JOINABLE;
	return attributes != NULL && pthread_attr_getdetachstate(attributes, &state) == 0 &&
			state == PTHREAD_CREATE_DETACHED;
}

EXPORT int pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*body)(void *), void *argument)
{
	struct thread *me = watched();
	if (me == NULL)
		return real_pthread_create()(handle, attributes, body, argument);
	struct site site = SITE_HERE;
	if (creator.pc != 0 && !is_watched_code(site.pc))
		site = creator;
	keys_open();
	me->inside++;
	real_pthread_once()(&end_key_once, make_end_key);
	struct thread *thread = thread_new(me, stack_of(me, site.pc, site.sp));
	if (thread == NULL) {
		report_limit("too many threads at once: those beyond the limit are not watched");
		me->inside--;
		int unwatched = real_pthread_create()(handle, attributes, body, argument);
		keys_close();
		return unwatched;
	}
	thread_next_segment(me);
	thread->body = body;
	thread->argument = argument;
	bool detached = is_detached(attributes);
	thread->detached = detached;
	int result = real_pthread_create()(handle, attributes, thread_body, thread);
	if (result != 0)
		thread_never(thread);
	else if (!detached)
		thread_created(thread, *handle, false);
	me->inside--;
	keys_close();
	return result;
}

static int joined(int result, struct thread *thread)
{
	struct thread *me = watched();
	if (result == 0 && thread != NULL) {
		if (me != NULL)
			me->inside++;
		thread_joined(me, thread);
		if (me != NULL)
			me->inside--;
	}
	return result;
}

REAL(int, pthread_join, pthread_t, void **)
EXPORT int pthread_join(pthread_t handle, void **value)
{
	struct thread *thread = thread_of(handle);
	return joined(KEYS_OPEN(real_pthread_join()(handle, value)), thread);
}

REAL(int, pthread_tryjoin_np, pthread_t, void **)
EXPORT int pthread_tryjoin_np(pthread_t handle, void **value)
{
	struct thread *thread = thread_of(handle);
	return joined(KEYS_OPEN(real_pthread_tryjoin_np()(handle, value)), thread);
}

REAL(int, pthread_timedjoin_np, pthread_t, void **, const struct timespec *)
EXPORT int pthread_timedjoin_np(pthread_t handle, void **value, const struct timespec *until)
{
	struct thread *thread = thread_of(handle);
	return joined(KEYS_OPEN(real_pthread_timedjoin_np()(handle, value, until)), thread);
}

REAL(int, pthread_clockjoin_np, pthread_t, void **, clockid_t, const struct timespec *)
EXPORT int pthread_clockjoin_np(pthread_t handle, void **value, clockid_t clock, const struct timespec *until)
{
	struct thread *thread = thread_of(handle);
	return joined(KEYS_OPEN(real_pthread_clockjoin_np()(handle, value, clock, until)), thread);
}

REAL(int, pthread_detach, pthread_t)
EXPORT int pthread_detach(pthread_t handle)
{
	struct thread *thread = thread_of(handle);
	int result = real_pthread_detach()(handle);
	if (result == 0 && thread != NULL)
		thread_detached(thread);
	return result;
}

extern void *__libc_malloc(size_t size);
extern void __libc_free(void *block);

/* C11's threads are those of pthread with another result. */
struct c11_body {
	thrd_start_t function;
	void *argument;
};

static void *run_c11_body(void *argument)
{
	struct c11_body body = *(struct c11_body *)argument;
	__libc_free(argument);
	return (void *)(intptr_t)body.function(body.argument);
}

EXPORT int thrd_create(thrd_t *handle, thrd_start_t function, void *argument)
{
	struct c11_body *body = __libc_malloc(sizeof *body);
	if (body == NULL)
		return thrd_nomem;
	*body = (struct c11_body){function, argument};
	int result = pthread_create(handle, NULL, run_c11_body, body);
	return result == 0 ? thrd_success : thrd_error;
}

EXPORT int thrd_join(thrd_t handle, int *value)
{
	void *result;
	if (pthread_join(handle, &result) != 0)
		return thrd_error;
	if (value != NULL)
		*value = (int)(intptr_t)result;
	return thrd_success;
}

EXPORT int thrd_detach(thrd_t handle)
{
	return pthread_detach(handle) == 0 ? thrd_success : thrd_error;
}

EXPORT void thrd_exit(int value)
{
	pthread_exit((void *)(intptr_t)value);
}

void order_join(const void *object)
{
	struct thread *me = watched();
	if (me == NULL)
		return;
	me->inside++;
	sync_join(me, object);
	me->inside--;
}

void order_acquire(const void *object)
{
	struct thread *me = watched();
	if (me == NULL)
		return;
	me->inside++;
	sync_acquire(me, object);
	noise(me, NOISE_SYNC);
	me->inside--;
}

void order_release(const void *object)
{
	struct thread *me = watched();
	if (me == NULL)
		return;
	me->inside++;
	sync_release(me, object);
	me->inside--;
}

void order_forget(const void *object)
{
	struct thread *me = watched();
	if (me == NULL)
		return;
	me->inside++;
	sync_forget(object);
	me->inside--;
}

REAL(int, pthread_barrier_wait, pthread_barrier_t *)
EXPORT int pthread_barrier_wait(pthread_barrier_t *barrier)
{
	order_release(barrier);
	int result = KEYS_OPEN(real_pthread_barrier_wait()(barrier));
	order_acquire(barrier);
	return result;
}

REAL(int, pthread_barrier_destroy, pthread_barrier_t *)
EXPORT int pthread_barrier_destroy(pthread_barrier_t *barrier)
{
	int result = KEYS_OPEN(real_pthread_barrier_destroy()(barrier));
	order_forget(barrier);
	return result;
}

REAL(int, sem_post, sem_t *)
EXPORT int sem_post(sem_t *semaphore)
{
	order_release(semaphore);
	return KEYS_OPEN(real_sem_post()(semaphore));
}

static int passed(int result, sem_t *semaphore)
{
	if (result == 0)
		order_acquire(semaphore);
	return result;
}

REAL(int, sem_wait, sem_t *)
EXPORT int sem_wait(sem_t *semaphore)
{
	return passed(KEYS_OPEN(real_sem_wait()(semaphore)), semaphore);
}

REAL(int, sem_trywait, sem_t *)
EXPORT int sem_trywait(sem_t *semaphore)
{
	return passed(KEYS_OPEN(real_sem_trywait()(semaphore)), semaphore);
}

REAL(int, sem_timedwait, sem_t *, const struct timespec *)
EXPORT int sem_timedwait(sem_t *semaphore, const struct timespec *until)
{
	return passed(KEYS_OPEN(real_sem_timedwait()(semaphore, until)), semaphore);
}

REAL(int, sem_clockwait, sem_t *, clockid_t, const struct timespec *)
EXPORT int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until)
{
	return passed(KEYS_OPEN(real_sem_clockwait()(semaphore, clock, until)), semaphore);
}

REAL(int, sem_destroy, sem_t *)
EXPORT int sem_destroy(sem_t *semaphore)
{
	int result = KEYS_OPEN(real_sem_destroy()(semaphore));
	order_forget(semaphore);
	return result;
}

static __thread struct {
	void (*function)(void);
	const void *control;
} once;

static void run_once(void)
{
	const void *control = once.control;
	keys_close();
	once.function();
	keys_open();
	order_release(control);
}

EXPORT int pthread_once(pthread_once_t *control, void (*function)(void))
{
	typeof(once) before = once;
	once.function = function;
	once.control = control;
	int result = KEYS_OPEN(real_pthread_once()(control, run_once));
	once = before;
	order_acquire(control);
	return result;
}

EXPORT void call_once(once_flag *control, void (*function)(void))
{
	pthread_once((pthread_once_t *)control, function);
}

/* The initialisation of a variable inside a function of C++. The program reads the guard itself, atomically. */
REAL(int, __cxa_guard_acquire, uint64_t *)
EXPORT int __cxa_guard_acquire(uint64_t *guard);
int __cxa_guard_acquire(uint64_t *guard)
{
	int result = KEYS_OPEN(real___cxa_guard_acquire()(guard));
	order_acquire(guard);
	return result;
}

REAL(void, __cxa_guard_release, uint64_t *)
EXPORT void __cxa_guard_release(uint64_t *guard);
void __cxa_guard_release(uint64_t *guard)
{
	order_release(guard);
	keys_open();
	real___cxa_guard_release()(guard);
	keys_close();
}
