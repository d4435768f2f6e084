/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parents that end as soon as they have forked, and before the child runs, if they may ask for that. The child stores. */
#include "pm.h"

#include <sched.h>

enum { GENERATIONS = 30 };

/* On one processor, a child with an ordinary priority runs when its parent sleeps or is over. */
static void run_before_children(void)
{
	struct sched_param lowest = {.sched_priority = 1};
	sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &lowest); /* fails without the privilege */
}

static void use_one_processor(void)
{
	cpu_set_t processors;
	CHECK(sched_getaffinity(0, sizeof processors, &processors) == 0);
	int first = 0;
	while (!CPU_ISSET(first, &processors))
		first++;
	CPU_ZERO(&processors);
	CPU_SET(first, &processors);
	CHECK(sched_setaffinity(0, sizeof processors, &processors) == 0);
}

int main(int argc, char **argv)
{
	CHECK(argc >= 2 && chdir(argv[1]) == 0);
	use_one_processor();
	char *pm = map_file("orphans", 8192);
	for (int i = 0; i < GENERATIONS; i++) {
		run_before_children();
		pid_t child = fork();
		CHECK(child >= 0);
		if (child > 0)
			_exit(0);
		pm[i] = 1;
		persist(pm + i);
	}
	return 0;
}
