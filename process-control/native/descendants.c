// SPDX-License-Identifier: Apache-2.0
#include "descendants.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

// A worklist instead of recursion: a chain of processes may be deep.
struct worklist {
	pid_t *pids;
	size_t count;
	size_t capacity;
};

static void append(struct worklist *list, pid_t pid)
{
	if (list->count == list->capacity) {
		size_t capacity = list->capacity ? 2 * list->capacity : 256;
		pid_t *pids = realloc(list->pids, capacity * sizeof *pids);
		if (!pids)
			return;
		list->pids = pids;
		list->capacity = capacity;
	}
	list->pids[list->count++] = pid;
}

static void append_children_of_task(struct worklist *list, pid_t pid, const char *task, descendant_visitor *visit,
		void *context)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/task/%.20s/children", pid, task);
	FILE *children = fopen(path, "re");
	if (!children)
		return;
	int child;
	while (fscanf(children, "%d", &child) == 1) {
		visit(child, context);
		append(list, child);
	}
	fclose(children);
}

static void append_children(struct worklist *list, pid_t pid, descendant_visitor *visit, void *context)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/task", pid);
	DIR *tasks = opendir(path);
	if (!tasks)
		return;
	struct dirent *task;
	while ((task = readdir(tasks)))
		if (task->d_name[0] != '.')
			append_children_of_task(list, pid, task->d_name, visit, context);
	closedir(tasks);
}

void descendants_visit(pid_t root, descendant_visitor *visit, void *context)
{
	static struct worklist list;
	list.count = 0;
	append_children(&list, root, visit, context);
	for (size_t index = 0; index < list.count; index++)
		append_children(&list, list.pids[index], visit, context);
}

static void kill_one(pid_t pid, void *context)
{
	(void)context;
	kill(pid, SIGKILL);
}

void descendants_kill(void)
{
	descendants_visit(getpid(), kill_one, NULL);
}

static void add_memory(pid_t pid, void *context)
{
	char path[64], text[128];
	snprintf(path, sizeof path, "/proc/%d/statm", pid);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return;
	ssize_t count = read(file, text, sizeof text - 1);
	close(file);
	unsigned long resident, shared;
	if (count <= 0)
		return;
	text[count] = 0;
	// "Shared" is what files back, tmpfs and so PM included: what is left is the process's own.
	if (sscanf(text, "%*u %lu %lu", &resident, &shared) == 2 && resident > shared)
		*(uint64_t *)context += (uint64_t)(resident - shared) * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t descendants_memory(void)
{
	uint64_t total = 0;
	descendants_visit(getpid(), add_memory, &total);
	return total;
}

static void add_cpu(pid_t pid, void *context)
{
	clockid_t clock;
	struct timespec used;
	if (clock_getcpuclockid(pid, &clock) == 0 && clock_gettime(clock, &used) == 0)
		*(uint64_t *)context += (uint64_t)used.tv_sec * 1000000000u + (uint64_t)used.tv_nsec;
}

uint64_t descendants_cpu(void)
{
	uint64_t total = 0;
	descendants_visit(getpid(), add_cpu, &total);
	return total;
}
