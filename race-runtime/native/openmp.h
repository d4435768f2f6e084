/* SPDX-License-Identifier: Apache-2.0 */
/* Teams and tasks of OpenMP, for threads of libgomp. */
#ifndef RACE_OPENMP_H
#define RACE_OPENMP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A parallel region. It is on the stack of the thread that began it, which waits for all others. What threads
 * synchronise over has an address; no bytes of it are used.
 */
struct team {
	void *first_word; /* of data: libgomp reads it if there are reductions */
	void (*function)(void *);
	void *data;
	char start, end;
	char barriers[2]; /* used in turns, since fast threads may reach the next one early */
	char tasks[2]; /* what tasks that were created before the barrier did */
	char ordered, posts, copies;
};

/* A group of tasks that a thread waits for; on its stack. */
struct task_group {
	struct task_group *outer;
	char ended;
};

struct dependence {
	uintptr_t address;
	bool changes;
};

/* A task that is not yet over, or has children that are not. */
struct task {
	atomic_uint uses;
	struct task *parent;
	struct team *team;
	struct task_group *group;
	unsigned phase;
	char start, children;
	unsigned dependence_count;
	struct dependence *dependences;
};

/* Where the calling thread is. */
struct position {
	struct team *team; /* NULL = outside of any parallel region */
	struct task *task;
	struct task_group *group;
	unsigned phase; /* barriers so far, 0 or 1 */
};

extern __thread struct position position __attribute__((tls_model("initial-exec")));

/* A task of the calling thread's position. */
struct task *task_new(void);
/* Its own use of it ends. */
void task_drop(struct task *task);
/* What all tasks of this phase did happened before. */
void tasks_join(struct team *team, unsigned phase);

#endif
