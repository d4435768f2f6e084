/* SPDX-License-Identifier: Apache-2.0 */
/* What gcc calls for OpenMP but for tasks: parallel regions, barriers, critical sections, ordered ones, locks. */
#include "detector.h"
#include "interpose.h"
#include "openmp.h"
#include "start.h"

#include <stdarg.h>
#include <stdlib.h>

#define MOST_COUNTS 16 /* nested loops whose iterations wait for others */

__thread struct position position;

static char omp_critical, omp_atomic; /* the locks of all that have no name */

/* Each thread of a team, the one that began it too. To HMTRace's paper it begins and ends here, whoever runs it. */
static void run_team(void *argument)
{
	struct team *team = argument;
	struct position outer = position;
	position = (struct position){.team = team};
	position.task = task_new();
	order_join(&team->start);
	team->function(team->data);
	order_release(&team->end);
	task_drop(position.task);
	position = outer;
}

static void begin(struct team *team, struct site site)
{
	creator = site;
	order_release(&team->start);
}

static void end(struct team *team)
{
	creator = (struct site){0};
	order_join(&team->end);
	for (unsigned phase = 0; phase < 2; phase++)
		tasks_join(team, phase);
	for (char *object = &team->start; object <= &team->copies; object++)
		order_forget(object);
}

#define TEAM(data) ((struct team){NULL, function, data, 0, 0, {0}, {0}, 0, 0, 0})

#define PARALLEL(name, types, parameters, arguments) \
	REAL(void, name, void (*)(void *), void *, unsigned, TYPES types) \
	EXPORT void name(void (*function)(void *), void *data, unsigned threads, PARAMETERS parameters); \
	void name(void (*function)(void *), void *data, unsigned threads, PARAMETERS parameters) \
	{ \
		struct team team = TEAM(data); \
		if (!is_on) { \
			real_##name()(function, data, threads, ARGUMENTS arguments); \
			return; \
		} \
		begin(&team, SITE_HERE); \
		real_##name()(run_team, &team, threads, ARGUMENTS arguments); \
		end(&team); \
	}

#define TYPES(...) __VA_ARGS__
#define PARAMETERS(...) __VA_ARGS__
#define ARGUMENTS(...) __VA_ARGS__

#define PARALLEL_CHUNKS(name) \
	PARALLEL(name, (long, long, long, long, unsigned), (long from, long to, long step, long chunk, unsigned flags), \
			(from, to, step, chunk, flags))
#define PARALLEL_LOOP(name) \
	PARALLEL(name, (long, long, long, unsigned), (long from, long to, long step, unsigned flags), \
			(from, to, step, flags))

PARALLEL(GOMP_parallel, (unsigned), (unsigned flags), (flags))
PARALLEL(GOMP_parallel_sections, (unsigned, unsigned), (unsigned count, unsigned flags), (count, flags))
PARALLEL_CHUNKS(GOMP_parallel_loop_static)
PARALLEL_CHUNKS(GOMP_parallel_loop_dynamic)
PARALLEL_CHUNKS(GOMP_parallel_loop_guided)
PARALLEL_CHUNKS(GOMP_parallel_loop_nonmonotonic_dynamic)
PARALLEL_CHUNKS(GOMP_parallel_loop_nonmonotonic_guided)
PARALLEL_LOOP(GOMP_parallel_loop_runtime)
PARALLEL_LOOP(GOMP_parallel_loop_nonmonotonic_runtime)
PARALLEL_LOOP(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

REAL(unsigned, GOMP_parallel_reductions, void (*)(void *), void *, unsigned, unsigned)
EXPORT unsigned GOMP_parallel_reductions(void (*function)(void *), void *data, unsigned threads, unsigned flags);
unsigned GOMP_parallel_reductions(void (*function)(void *), void *data, unsigned threads, unsigned flags)
{
	if (!is_on)
		return real_GOMP_parallel_reductions()(function, data, threads, flags);
	struct team team = TEAM(data);
	team.first_word = *(void **)data;
	begin(&team, SITE_HERE);
	unsigned count = real_GOMP_parallel_reductions()(run_team, &team, threads, flags);
	end(&team);
	return count;
}

static void reach_barrier(void)
{
	if (position.team != NULL)
		order_release(&position.team->barriers[position.phase]);
}

static void leave_barrier(void)
{
	if (position.team == NULL)
		return;
	order_acquire(&position.team->barriers[position.phase]);
	tasks_join(position.team, position.phase);
	position.phase ^= 1;
}

#define BARRIER(name) \
	REAL(void, name, void) \
	EXPORT void name(void); \
	void name(void) \
	{ \
		reach_barrier(); \
		real_##name()(); \
		leave_barrier(); \
	}

#define BARRIER_OR_CANCELLED(name) \
	REAL(bool, name, void) \
	EXPORT bool name(void); \
	bool name(void) \
	{ \
		reach_barrier(); \
		bool cancelled = real_##name()(); \
		leave_barrier(); \
		return cancelled; \
	}

BARRIER(GOMP_barrier)
BARRIER(GOMP_loop_end)
BARRIER(GOMP_sections_end)
BARRIER_OR_CANCELLED(GOMP_barrier_cancel)
BARRIER_OR_CANCELLED(GOMP_loop_end_cancel)
BARRIER_OR_CANCELLED(GOMP_sections_end_cancel)

REAL(void, GOMP_workshare_task_reduction_unregister, bool)
EXPORT void GOMP_workshare_task_reduction_unregister(bool cancelled);
void GOMP_workshare_task_reduction_unregister(bool cancelled)
{
	if (!cancelled)
		reach_barrier();
	real_GOMP_workshare_task_reduction_unregister()(cancelled);
	if (!cancelled)
		leave_barrier();
}

/* What one thread made for all others: they wait until it has. */
REAL(void *, GOMP_single_copy_start, void)
EXPORT void *GOMP_single_copy_start(void);
void *GOMP_single_copy_start(void)
{
	void *data = real_GOMP_single_copy_start()();
	if (data != NULL && position.team != NULL)
		order_acquire(&position.team->copies);
	return data;
}

REAL(void, GOMP_single_copy_end, void *)
EXPORT void GOMP_single_copy_end(void *data);
void GOMP_single_copy_end(void *data)
{
	if (position.team != NULL)
		order_release(&position.team->copies);
	real_GOMP_single_copy_end()(data);
}

REAL(void, GOMP_ordered_start, void)
EXPORT void GOMP_ordered_start(void);
void GOMP_ordered_start(void)
{
	real_GOMP_ordered_start()();
	if (position.team != NULL)
		order_acquire(&position.team->ordered);
}

REAL(void, GOMP_ordered_end, void)
EXPORT void GOMP_ordered_end(void);
void GOMP_ordered_end(void)
{
	if (position.team != NULL)
		order_release(&position.team->ordered);
	real_GOMP_ordered_end()();
}

static void posted(void)
{
	if (position.team != NULL)
		order_release(&position.team->posts);
}

static void waited_for_posts(void)
{
	if (position.team != NULL)
		order_acquire(&position.team->posts);
}

/* How many counts there are only libgomp knows. More than there are do no harm: they are what is on the stack. */
#define FIVE_MORE(i) counts[i], counts[i + 1], counts[i + 2], counts[i + 3], counts[i + 4]

#define DOACROSS(post, wait, type) \
	REAL(void, post, type *) \
	EXPORT void post(type *counts); \
	void post(type *counts) \
	{ \
		posted(); \
		real_##post()(counts); \
	} \
	REAL(void, wait, type, ...) \
	EXPORT void wait(type first, ...); \
	void wait(type first, ...) \
	{ \
		type counts[MOST_COUNTS - 1]; \
		va_list arguments; \
		va_start(arguments, first); \
		for (unsigned i = 0; i < MOST_COUNTS - 1; i++) \
			counts[i] = va_arg(arguments, type); \
		va_end(arguments); \
		real_##wait()(first, FIVE_MORE(0), FIVE_MORE(5), FIVE_MORE(10)); \
		waited_for_posts(); \
	}

DOACROSS(GOMP_doacross_post, GOMP_doacross_wait, long)
DOACROSS(GOMP_doacross_ull_post, GOMP_doacross_ull_wait, unsigned long long)

#define SECTION(start, end, lock) \
	REAL(void, start, void) \
	EXPORT void start(void); \
	void start(void) \
	{ \
		real_##start()(); \
		lock_is_taken(&lock, LOCK_EXCLUSIVE, SITE_HERE); \
	} \
	REAL(void, end, void) \
	EXPORT void end(void); \
	void end(void) \
	{ \
		lock_is_given_back(&lock); \
		real_##end()(); \
	}

SECTION(GOMP_critical_start, GOMP_critical_end, omp_critical)
SECTION(GOMP_atomic_start, GOMP_atomic_end, omp_atomic)

REAL(void, GOMP_critical_name_start, void **)
EXPORT void GOMP_critical_name_start(void **lock);
void GOMP_critical_name_start(void **lock)
{
	real_GOMP_critical_name_start()(lock);
	lock_is_taken(lock, LOCK_EXCLUSIVE, SITE_HERE);
}

REAL(void, GOMP_critical_name_end, void **)
EXPORT void GOMP_critical_name_end(void **lock);
void GOMP_critical_name_end(void **lock)
{
	lock_is_given_back(lock);
	real_GOMP_critical_name_end()(lock);
}

#define LOCKS(kind) \
	REAL(void, omp_set_##kind, void *) \
	EXPORT void omp_set_##kind(void *lock); \
	void omp_set_##kind(void *lock) \
	{ \
		real_omp_set_##kind()(lock); \
		lock_is_taken(lock, LOCK_EXCLUSIVE, SITE_HERE); \
	} \
	REAL(int, omp_test_##kind, void *) \
	EXPORT int omp_test_##kind(void *lock); \
	int omp_test_##kind(void *lock) \
	{ \
		int times = real_omp_test_##kind()(lock); \
		if (times != 0) \
			lock_is_taken(lock, LOCK_EXCLUSIVE, SITE_HERE); \
		return times; \
	} \
	REAL(void, omp_unset_##kind, void *) \
	EXPORT void omp_unset_##kind(void *lock); \
	void omp_unset_##kind(void *lock) \
	{ \
		lock_is_given_back(lock); \
		real_omp_unset_##kind()(lock); \
	} \
	REAL(void, omp_destroy_##kind, void *) \
	EXPORT void omp_destroy_##kind(void *lock); \
	void omp_destroy_##kind(void *lock) \
	{ \
		real_omp_destroy_##kind()(lock); \
		lock_is_forgotten(lock); \
	}

LOCKS(lock)
LOCKS(nest_lock)
