/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Dies between a flush and its fence: dies DIR segv|abort|kill|term|handler|alternate|returned. The last three die in a
 * handler of a signal, on the stack that was interrupted or on its own; and after handlers that returned or jumped out.
 */
#include "pm.h"

#include <alloca.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/syscall.h>

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

static void go_on(int number)
{
	(void)number;
}

static void handle(int number, void (*handler)(int), int flags)
{
	static char stack[65536];
	stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags | SA_NODEFER};
	CHECK(sigaltstack(&alternate, NULL) == 0 && sigaction(number, &action, NULL) == 0);
}

__attribute__((noinline)) static void fault(void)
{
	*(volatile char *)8 = 1;
}

__attribute__((noinline)) static void flush_in(char *room, char *pm)
{
	*(volatile char *)room = 1;
	*pm = 2;
	flush(pm);
}

/* The call after it is farther down the stack than anything of the handler. */
__attribute__((noinline)) static void interrupt_and_return(int flags, char *pm, size_t room)
{
	long result = SYS_kill;
	handle(SIGUSR1, go_on, flags);
	__asm__ volatile("syscall" : "+a"(result) : "D"(getpid()), "S"(SIGUSR1) : "rcx", "r11", "memory");
	CHECK(result == 0);
	flush_in(alloca(room), pm);
}

static void fault_and_leave(int flags, char *pm, size_t room)
{
	handle(SIGSEGV, leave, flags);
	for (volatile int time = 0; time < 3; time++) {
		if (setjmp(before) == 0)
			fault();
	}
	flush_in(alloca(room), pm);
}

__attribute__((always_inline)) static inline void die(const char *how, char *pm)
{
	flush(pm);
	if (strcmp(how, "handler") == 0 || strcmp(how, "alternate") == 0)
		handle(SIGSEGV, on_fault, how[0] == 'a' ? SA_ONSTACK : 0);
	if (strcmp(how, "returned") == 0) {
		interrupt_and_return(0, pm, 20000);
		interrupt_and_return(SA_ONSTACK, pm, 20000);
		fault_and_leave(0, pm, 20000);
		fault_and_leave(SA_ONSTACK, pm, 20000);
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
