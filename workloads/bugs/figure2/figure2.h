/*
 * What makes pm.c, the sample of figure 2 of the Mumak paper, a program: the compiler includes this file ahead of it
 * (-include), so that pm.c keeps the paper's text and line numbers: clwb in line 2, the call in line 8, main's flush and
 * calls in lines 16, 19 and 20. Two things are added within those lines: `TIMES` for 8, because the correct twin flushes
 * once; and stores to x and z in lines 16 and 20, since a failure point needs a store since the last one.
 *
 * clwb, sfence and pm_alloc are macros: they add neither frames nor lines. A constructor does all that comes before main.
 */
#ifndef POWERCUT_BUGS_FIGURE2_H
#define POWERCUT_BUGS_FIGURE2_H

#include "../pm.h"

#define TIMES (BUG ? 8 : 1)
#define CELLS 3

#define clwb(p) pm_clwb(p)
#define sfence() pm_sfence()
/* The next cell, each in a cache line of its own. */
#define pm_alloc() (figure2_next += PM_LINE / sizeof(int), figure2_next - PM_LINE / sizeof(int))

static int *figure2_next;

static const char *figure2_check(const int *cells)
{
	for (int i = 0; i < CELLS; i++)
		if (cells[i * PM_LINE / sizeof(int)] > i + 1)
			return "a cell holds what was never stored";
	return NULL;
}

/* glibc gives constructors main's arguments. Only `run` comes back, and goes on to main. */
__attribute__((constructor)) static void figure2_start(int argc, char **argv)
{
	if (argc != 3)
		exit(pm_usage(argv[0]));
	int making = strcmp(argv[1], "create") == 0;
	figure2_next = (int *)pm_map(argv[2], "pool", CELLS * PM_LINE, making);
	if (making)
		exit(0);
	if (strcmp(argv[1], "check") == 0)
		exit(pm_judge(figure2_check(figure2_next)));
	if (strcmp(argv[1], "run") != 0)
		exit(pm_usage(argv[0]));
}

#endif
