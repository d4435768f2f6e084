/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks of OpenMP: what is done before one is created, in it, and behind what waits for it. */
#include "detector.h"
#include "interpose.h"
#include "openmp.h"
#include "pages.h"
#include "start.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Of libgomp: how a task is created. */
#define FLAG_DEPEND (1u << 3)
#define FLAG_NOGROUP (1u << 11)
#define FLAG_DETACH (1u << 13)

#define WORDS 3 /* of a task's data that libgomp reads or sets: bounds of a loop, reductions, an event */

/* What libgomp is given as the data of a task, and what it copies with our function. */
struct source {
	void *words[WORDS];
	void (*function)(void *);
	void (*copy)(void *, void *);
	void *data;
	size_t size, offset;
	unsigned flags;
	void **depend;
	bool is_loop;
};

/* The copy, which a thread of the team is given when it runs the task. The program's data are behind it. */
struct copied {
	void *words[WORDS];
	void (*function)(void *);
	size_t offset;
	struct task *task;
	bool is_loop;
};

static atomic_bool any_event;
static char events; /* of tasks that end when an event comes */

struct task *task_new(void)
{
	struct task *task = pages_take(sizeof *task);
	*task = (struct task){.uses = 1,
			.parent = position.task,
			.team = position.team,
			.group = position.group,
			.phase = position.phase};
	if (task->parent != NULL)
		atomic_fetch_add(&task->parent->uses, 1);
	return task;
}

void task_drop(struct task *task)
{
	while (task != NULL && atomic_fetch_sub(&task->uses, 1) == 1) {
		struct task *parent = task->parent;
		order_forget(&task->start);
		order_forget(&task->children);
		if (task->dependences != NULL)
			pages_give(task->dependences, task->dependence_count * sizeof *task->dependences);
		pages_give(task, sizeof *task);
		task = parent;
	}
}

static void join_events(void)
{
	if (atomic_load(&any_event))
		order_acquire(&events);
}

void tasks_join(struct team *team, unsigned phase)
{
	order_acquire(&team->tasks[phase]);
	join_events();
}

/* Those that read and those that change each have an object of their own, which no program can have. */
static const void *readers_of(const struct dependence *dependence)
{
	return (const void *)(dependence->address | (uintptr_t)1 << 62);
}

static const void *writers_of(const struct dependence *dependence)
{
	return (const void *)(dependence->address | (uintptr_t)1 << 61);
}

static void wait_for(const struct dependence *dependences, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		order_acquire(writers_of(&dependences[i]));
		if (dependences[i].changes)
			order_acquire(readers_of(&dependences[i]));
	}
	join_events();
}

static void end_dependences(const struct task *task)
{
	for (unsigned i = 0; i < task->dependence_count; i++)
		order_release(
				task->dependences[i].changes ? writers_of(&task->dependences[i]) : readers_of(&task->dependences[i]));
}

/* An array of libgomp: count, count of those that change, addresses; or 0 and then more counts. */
static unsigned count_of(void **depend)
{
	return (unsigned)(uintptr_t)(depend[0] != NULL ? depend[0] : depend[1]);
}

static struct dependence dependence_at(void **depend, unsigned i)
{
	if (depend[0] != NULL)
		return (struct dependence){(uintptr_t)depend[2 + i], i < (uintptr_t)depend[1]};
	uintptr_t changing = (uintptr_t)depend[2] + (uintptr_t)depend[3], reading = (uintptr_t)depend[4];
	void *address = depend[5 + i];
	/* The last ones are objects that hold a dependence. */
	if (i >= changing + reading)
		return (struct dependence){(uintptr_t) * (void **)address, true};
	return (struct dependence){(uintptr_t)address, i < changing};
}

static struct dependence *dependences_of(void **depend, unsigned *count)
{
	*count = count_of(depend);
	if (*count == 0)
		return NULL;
	struct dependence *all = pages_take(*count * sizeof *all);
	for (unsigned i = 0; i < *count; i++)
		all[i] = dependence_at(depend, i);
	return all;
}

/* In the thread that creates it. */
static void copy_task(void *to, void *from)
{
	struct source *source = from;
	struct copied *copied = to;
	*copied = (struct copied){.function = source->function,
			.offset = source->offset,
			.task = task_new(),
			.is_loop = source->is_loop};
	if ((source->flags & FLAG_DETACH) != 0)
		*(void **)source->data = source->words[0];
	void *data = (char *)to + source->offset;
	if (source->copy != NULL)
		source->copy(data, source->data);
	else
		memcpy(data, source->data, source->size);
	if ((source->flags & FLAG_DEPEND) != 0 && source->depend != NULL)
		copied->task->dependences = dependences_of(source->depend, &copied->task->dependence_count);
	order_release(&copied->task->start);
}

static void ended(struct task *task)
{
	end_dependences(task);
	if (task->parent != NULL)
		order_release(&task->parent->children);
	if (task->group != NULL)
		order_release(&task->group->ended);
	if (task->team != NULL)
		order_release(&task->team->tasks[task->phase]);
}

static void run_task(void *argument)
{
	struct copied *copied = argument;
	struct task *task = copied->task;
	char *data = (char *)argument + copied->offset;
	if (copied->is_loop)
		memcpy(data, copied->words, 2 * sizeof copied->words[0]);
	struct position outer = position;
	position.team = task->team;
	position.task = task;
	position.group = task->group;
	order_acquire(&task->start);
	wait_for(task->dependences, task->dependence_count);
	copied->function(data);
	ended(task);
	position = outer;
	task_drop(task);
}

static size_t aligned(size_t size, size_t alignment)
{
	return (size + alignment - 1) / alignment * alignment;
}

static struct source source_of(void (*function)(void *), void *data, void (*copy)(void *, void *), long size,
		long *alignment)
{
	if (*alignment < (long)_Alignof(struct copied))
		*alignment = (long)_Alignof(struct copied);
	return (struct source){.function = function,
			.copy = copy,
			.data = data,
			.size = (size_t)size,
			.offset = aligned(sizeof(struct copied), (size_t)*alignment)};
}

static long size_of(const struct source *source, long alignment)
{
	return (long)aligned(source->offset + source->size, (size_t)alignment);
}

typedef void task_function(void *);
typedef void task_copy(void *, void *);

REAL(void, GOMP_task, task_function *, void *, task_copy *, long, long, bool, unsigned, void **, int, void *)
EXPORT void GOMP_task(task_function *function, void *data, task_copy *copy, long size, long alignment, bool deferred,
		unsigned flags, void **depend, int priority, void *detach);
void GOMP_task(task_function *function, void *data, task_copy *copy, long size, long alignment, bool deferred,
		unsigned flags, void **depend, int priority, void *detach)
{
	if (!is_on) {
		real_GOMP_task()(function, data, copy, size, alignment, deferred, flags, depend, priority, detach);
		return;
	}
	struct source source = source_of(function, data, copy, size, &alignment);
	source.flags = flags;
	source.depend = depend;
	if ((flags & FLAG_DETACH) != 0)
		atomic_store(&any_event, true);
	real_GOMP_task()(run_task, &source, copy_task, size_of(&source, alignment), alignment, deferred, flags, depend,
			priority, detach);
}

REAL(void, omp_fulfill_event, uintptr_t)
EXPORT void omp_fulfill_event(uintptr_t event);
void omp_fulfill_event(uintptr_t event)
{
	order_release(&events);
	real_omp_fulfill_event()(event);
}

static void begin_group(struct task_group *group)
{
	*group = (struct task_group){.outer = position.group};
	position.group = group;
}

static void end_group(struct task_group *group)
{
	order_acquire(&group->ended);
	order_forget(&group->ended);
	join_events();
	position.group = group->outer;
}

#define TASKLOOP(name, type) \
	REAL(void, name, task_function *, void *, task_copy *, long, long, unsigned, unsigned long, int, type, type, type) \
	EXPORT void name(task_function *function, void *data, task_copy *copy, long size, long alignment, unsigned flags, \
			unsigned long count, int priority, type from, type to, type step); \
	void name(task_function *function, void *data, task_copy *copy, long size, long alignment, unsigned flags, \
			unsigned long count, int priority, type from, type to, type step) \
	{ \
		if (!is_on) { \
			real_##name()(function, data, copy, size, alignment, flags, count, priority, from, to, step); \
			return; \
		} \
		struct source source = source_of(function, data, copy, size, &alignment); \
		source.is_loop = true; \
		memcpy(source.words, data, (size_t)size < sizeof source.words ? (size_t)size : sizeof source.words); \
		struct task_group group; \
		bool grouped = (flags & FLAG_NOGROUP) == 0; \
		if (grouped) \
			begin_group(&group); \
		real_##name()(run_task, &source, copy_task, size_of(&source, alignment), alignment, flags, count, priority, \
				from, to, step); \
		if (grouped) \
			end_group(&group); \
	}

TASKLOOP(GOMP_taskloop, long)
TASKLOOP(GOMP_taskloop_ull, unsigned long long)

REAL(void, GOMP_taskwait, void)
EXPORT void GOMP_taskwait(void);
void GOMP_taskwait(void)
{
	real_GOMP_taskwait()();
	if (position.task != NULL)
		order_acquire(&position.task->children);
	join_events();
}

REAL(void, GOMP_taskwait_depend, void **)
EXPORT void GOMP_taskwait_depend(void **depend);
void GOMP_taskwait_depend(void **depend)
{
	real_GOMP_taskwait_depend()(depend);
	unsigned count = count_of(depend);
	for (unsigned i = 0; i < count; i++) {
		struct dependence dependence = dependence_at(depend, i);
		wait_for(&dependence, 1);
	}
}

/* Groups end in the function that begins them, but in two calls. */
REAL(void, GOMP_taskgroup_start, void)
EXPORT void GOMP_taskgroup_start(void);
void GOMP_taskgroup_start(void)
{
	if (is_on)
		begin_group(pages_take(sizeof(struct task_group)));
	real_GOMP_taskgroup_start()();
}

REAL(void, GOMP_taskgroup_end, void)
EXPORT void GOMP_taskgroup_end(void);
void GOMP_taskgroup_end(void)
{
	real_GOMP_taskgroup_end()();
	struct task_group *group = position.group;
	if (group == NULL)
		return;
	end_group(group);
	pages_give(group, sizeof *group);
}
