/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two processes store in turns: each waits until it sees what the other one stored. Now and then the child's store
 * faults, and at last it dies of one.
 */
#include "pm.h"

#include <sched.h>
#include <setjmp.h>
#include <signal.h>

#define TURNS 4000
#define FORBIDDEN 4096 /* a page that nobody may store to begins here */

static sigjmp_buf again;

static void on_fault(int number)
{
	(void)number;
	siglongjmp(again, 1);
}

static void wait_for(const volatile int *place, int value)
{
	for (int tries = 1; *place != value; tries++) {
		if (tries % 256 == 0)
			sched_yield();
	}
}

/* With an instruction of its own kind in each of four turns. */
static void store(int *place, int value)
{
	switch (value % 4) {
	case 0: *(volatile int *)place = value; break;
	case 1: __atomic_exchange_n(place, value, __ATOMIC_SEQ_CST); break;
	case 2: __asm__ volatile("movnti %1, %0" : "=m"(*place) : "r"(value)); break;
	default: __asm__ volatile("rep stosl" : : "D"(place), "a"(value), "c"(1L) : "memory"); break;
	}
}

int main(int argc, char **argv)
{
	CHECK(argc == 2 && chdir(argv[1]) == 0);
	char *pm = map_file("turns", 2 * FORBIDDEN);
	int *here = (int *)pm, *there = here + 64;
	CHECK(mprotect(pm + FORBIDDEN, FORBIDDEN, PROT_READ) == 0 && signal(SIGSEGV, on_fault) != SIG_ERR);
	pid_t child = fork();
	CHECK(child >= 0);
	for (int i = 1; i <= TURNS; i++) {
		if (child == 0)
			wait_for(here, i);
		if (child == 0 && i % 16 < 4 && sigsetjmp(again, 1) == 0)
			store((int *)(pm + FORBIDDEN), i);
		store(child == 0 ? there : here, i);
		if (child != 0)
			wait_for(there, i);
	}
	if (child == 0) {
		signal(SIGSEGV, SIG_DFL);
		pm[FORBIDDEN] = 1;
	}
	int status;
	CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
	store(here, TURNS + 1);
	return 0;
}
