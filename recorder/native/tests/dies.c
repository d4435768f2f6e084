/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Dies between a flush and its fence: dies DIR segv|abort|kill|term|handler|alternate|returned. The last three die in a
 * handler of a signal, on the stack that was interrupted or on its own; and after handlers that jumped out.
 */
#include "pm.h"

#include <setjmp.h>
#include <signal.h>

static jmp_buf before;

__attribute__((noinline)) static void on_fault(int number)
{
	(void)number;
	abort();
}

static void leave(int number)
{
	(void)number;
	longjmp(before, 1);
}

static void handle_faults(void (*handler)(int), int flags)
{
	static char stack[65536];
	stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags | SA_NODEFER};
	CHECK(sigaltstack(&alternate, NULL) == 0 && sigaction(SIGSEGV, &action, NULL) == 0);
}

__attribute__((noinline)) static void fault(void)
{
	*(volatile char *)8 = 1;
}

static void fault_and_leave(int flags)
{
	handle_faults(leave, flags);
	for (volatile int time = 0; time < 3; time++) {
		if (setjmp(before) == 0)
			fault();
	}
}

__attribute__((always_inline)) static inline void die(const char *how, char *pm)
{
	flush(pm);
	if (strcmp(how, "handler") == 0 || strcmp(how, "alternate") == 0)
		handle_faults(on_fault, how[0] == 'a' ? SA_ONSTACK : 0);
	if (strcmp(how, "returned") == 0) {
		fault_and_leave(0);
		fault_and_leave(SA_ONSTACK);
		signal(SIGSEGV, SIG_DFL);
	}
	if (strcmp(how, "segv") == 0)
		*(volatile char *)8 = 1;
	if (strcmp(how, "handler") == 0 || strcmp(how, "alternate") == 0 || strcmp(how, "returned") == 0)
		fault();
	if (strcmp(how, "abort") == 0)
		abort();
	if (strcmp(how, "term") == 0)
		raise(SIGTERM);
	if (fork() == 0) /* nobody can see that coming */
		_exit(kill(getppid(), SIGKILL));
	pause();
}

int main(int argc, char **argv)
{
	CHECK(argc == 3 && chdir(argv[1]) == 0);
	char *pm = map_file("dies", 4096);
	pm[0] = 1;
	die(argv[2], pm);
	return 0;
}
