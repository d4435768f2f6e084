/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parents and grandparents that end at the same time, and before the grandchild runs. The grandchild stores. */
#include "pm.h"

#include <sched.h>

enum { GENERATIONS = 200 };

static cpu_set_t processors;

/* The caller's children run when it sleeps or is over, if it may ask for that. */
static void run_before_children(void)
{
	struct sched_param lowest = {.sched_priority = 1};
	cpu_set_t own;
	CPU_ZERO(&own);
	CPU_SET(sched_getcpu(), &own);
	CHECK(sched_setaffinity(0, sizeof own, &own) == 0);
	sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &lowest); /* fails without the privilege */
}

/* Returns as a grandchild of the caller. */
static void leave_all_to_grandchild(int *ready)
{
	pid_t child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		run_before_children();
		child = fork();
		CHECK(child >= 0);
	}
	if (child == 0) {
		CHECK(sched_setaffinity(0, sizeof processors, &processors) == 0);
		return;
	}
	__atomic_fetch_add(ready, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(ready, __ATOMIC_SEQ_CST) < 2 && CPU_COUNT(&processors) > 1)
		;
	_exit(0);
}

int main(int argc, char **argv)
{
	CHECK(argc >= 2 && chdir(argv[1]) == 0);
	CHECK(sched_getaffinity(0, sizeof processors, &processors) == 0);
	char *pm = map_file("grandchildren", 8192);
	int *ready = mmap(NULL, GENERATIONS * sizeof *ready, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(ready != MAP_FAILED);
	for (int i = 0; i < GENERATIONS; i++) {
		leave_all_to_grandchild(&ready[i]);
		pm[i] = 1;
		persist(pm + i);
	}
	return 0;
}
