/* SPDX-License-Identifier: Apache-2.0 */
#include "affinity.h"

#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* A process that does not trap is left where it is. */
#define FEW_TRAPS 8

static struct {
	pid_t tid; /* 0 = none */
	cpu_set_t its;
	cpu_set_t ours;
} joined;

static pid_t trapping;
static unsigned traps;

static bool can_bind(int lock, int processor)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	int length = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "powercut-reads/processor/%d", processor);
	return bind(lock, (struct sockaddr *)&name, offsetof(struct sockaddr_un, sun_path) + 1 + length) == 0;
}

/*
 * A processor that no other watcher has, this one's if possible; -1 = there is none. It is ours from then on: the lock
 * is a socket with a name, which goes with the process and leaves no file.
 */
static int own_processor(const cpu_set_t *allowed)
{
	static int processor = -1;
	static bool is_known;
	if (is_known)
		return processor;
	is_known = true;
	int lock = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0), now = sched_getcpu();
	if (lock < 0 || now < 0)
		return -1;
	for (int i = 0; i < CPU_SETSIZE; i++) {
		int one = (now + i) % CPU_SETSIZE;
		if (CPU_ISSET(one, allowed) && can_bind(lock, one)) {
			processor = one;
			return processor;
		}
	}
	close(lock);
	return -1;
}

static void join(const struct task *task)
{
	cpu_set_t both, one;
	if (sched_getaffinity(task->tid, sizeof joined.its, &joined.its) != 0 ||
			sched_getaffinity(0, sizeof joined.ours, &joined.ours) != 0)
		return;
	CPU_AND(&both, &joined.its, &joined.ours);
	int processor = own_processor(&both);
	if (processor < 0 || !CPU_ISSET(processor, &both))
		return;
	CPU_ZERO(&one);
	CPU_SET(processor, &one);
	if (sched_setaffinity(task->tid, sizeof one, &one) != 0)
		return;
	joined.tid = task->tid;
	sched_setaffinity(0, sizeof one, &one);
}

void affinity_trapped(const struct task *task)
{
	if (task->tid == joined.tid || task->space->tasks > 1)
		return;
	if (task->tid != trapping) {
		trapping = task->tid;
		traps = 0;
	}
	if (++traps != FEW_TRAPS)
		return;
	affinity_part();
	join(task);
}

void affinity_part(void)
{
	if (joined.tid == 0)
		return;
	sched_setaffinity(joined.tid, sizeof joined.its, &joined.its);
	sched_setaffinity(0, sizeof joined.ours, &joined.ours);
	joined.tid = trapping = 0;
}

void affinity_inherited(const struct task *parent, pid_t child)
{
	if (parent->tid != joined.tid)
		return;
	sched_setaffinity(child, sizeof joined.its, &joined.its);
	affinity_part();
}
