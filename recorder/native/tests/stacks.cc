/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Call stacks by every way out of a function. Before each flush it prints the functions on its stack, innermost
 * first.
 */
#include "pm.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>

static char *pm;
static long next;

/* One failure point; the name is what the compiler calls this function's caller. */
__attribute__((noinline)) static void point(const char *callers)
{
	pm[next % 4096] = 1;
	flush(pm + next++ % 4096);
	say("stack point %s", callers);
}

#define NOINLINE __attribute__((noinline)) static
#define KEEP __asm__ volatile("" ::: "memory") /* no tail call */

NOINLINE void leaf(const char *callers)
{
	point(callers);
	KEEP;
}

NOINLINE int deep(int n, const char *callers)
{
	char frame[100];
	__asm__ volatile("" : : "r"(frame) : "memory");
	if (n == 0) {
		point(callers);
		return 0;
	}
	int result = deep(n - 1, callers) + 1;
	KEEP;
	return result;
}

static jmp_buf buffer;

NOINLINE void jumps(int n)
{
	char frame[10000];
	__asm__ volatile("" : : "r"(frame) : "memory");
	if (n == 0)
		longjmp(buffer, 1);
	if (n > 0)
		jumps(n - 1);
	KEEP;
}

NOINLINE void after_longjmp()
{
	if (setjmp(buffer) == 0)
		jumps(5);
	leaf("leaf after_longjmp main");
	KEEP;
}

struct Cleaner {
	~Cleaner()
	{
		leaf("leaf * throws catches main");
	}
};

NOINLINE void throws(int n)
{
	Cleaner cleaner;
	KEEP;
	if (n >= 0)
		throw n;
}

NOINLINE void catches()
{
	try {
		throws(3);
	} catch (int n) {
		leaf("leaf catches main");
	}
	leaf("leaf catches main");
	KEEP;
}

static sigjmp_buf signal_buffer;

static void handler(int signal)
{
	leaf(signal == SIGUSR1 ? "leaf handler" : "leaf handler");
	if (signal == SIGUSR2)
		siglongjmp(signal_buffer, 1);
}

static void on_segv(int, siginfo_t *, void *)
{
	leaf("leaf on_segv");
	siglongjmp(signal_buffer, 1);
}

NOINLINE void signals()
{
	static char stack[65536];
	stack_t alternate = {};
	alternate.ss_sp = stack;
	alternate.ss_size = sizeof stack;
	CHECK(sigaltstack(&alternate, nullptr) == 0);
	struct sigaction action = {};
	action.sa_handler = handler;
	CHECK(sigaction(SIGUSR1, &action, nullptr) == 0);
	CHECK(sigaction(SIGUSR2, &action, nullptr) == 0);
	raise(SIGUSR1);
	leaf("leaf signals main");
	if (sigsetjmp(signal_buffer, 1) == 0)
		raise(SIGUSR2);
	leaf("leaf signals main");
	action.sa_flags = SA_ONSTACK;
	CHECK(sigaction(SIGUSR1, &action, nullptr) == 0);
	CHECK(sigaction(SIGUSR2, &action, nullptr) == 0);
	raise(SIGUSR1);
	leaf("leaf signals main");
	if (sigsetjmp(signal_buffer, 1) == 0)
		raise(SIGUSR2);
	leaf("leaf signals main");
	action.sa_flags = SA_SIGINFO | SA_ONSTACK;
	action.sa_sigaction = on_segv;
	CHECK(sigaction(SIGSEGV, &action, nullptr) == 0);
	if (sigsetjmp(signal_buffer, 1) == 0)
		*(volatile int *)8 = 1;
	leaf("leaf signals main");
	KEEP;
}

static ucontext_t main_context, other_context;

static void coroutine()
{
	leaf("leaf coroutine");
	swapcontext(&other_context, &main_context);
	leaf("leaf coroutine");
	KEEP;
}

NOINLINE void coroutines()
{
	static char stack[65536];
	getcontext(&other_context);
	other_context.uc_stack.ss_sp = stack;
	other_context.uc_stack.ss_size = sizeof stack;
	other_context.uc_link = &main_context;
	makecontext(&other_context, coroutine, 0);
	swapcontext(&main_context, &other_context);
	leaf("leaf coroutines main");
	swapcontext(&main_context, &other_context);
	leaf("leaf coroutines main");
	KEEP;
}

/* ------------------------------------------------- switches made by hand */

/* As in boost.context: the callee-saved registers go to the stack, which is then another one. */
extern "C" void switch_to(void **from, void *to);
__asm__(".text\n.type switch_to, @function\nswitch_to:\n"
		"push %rbp; push %rbx; push %r12; push %r13; push %r14; push %r15\n"
		"mov %rsp, (%rdi)\nmov %rsi, %rsp\n"
		"pop %r15; pop %r14; pop %r13; pop %r12; pop %rbx; pop %rbp\nret\n");

#define STACK 16384
static void *main_sp, *sps[3];
static int running;
static char stacks[3][STACK] __attribute__((aligned(16))); /* neighbours */

NOINLINE void go(void **from, void *to, int now)
{
	running = now;
	switch_to(from, to);
	KEEP;
}

NOINLINE void work(int self, int depth)
{
	if (depth > 0) {
		work(self, depth - 1);
		leaf(depth == 1 ? "leaf work work body" : "leaf work body");
		KEEP;
		return;
	}
	leaf("leaf work work work body");
	go(&sps[self], main_sp, -1);
	leaf("leaf work work work body");
	if (self < 2)
		go(&sps[self], sps[self + 1], self + 1); /* to the neighbour, not through main */
	leaf("leaf work work work body");
	KEEP;
}

static void body()
{
	int self = running;
	work(self, 2);
	leaf("leaf body");
	for (;;)
		go(&sps[self], main_sp, -1);
}

NOINLINE void resume(int which)
{
	go(&main_sp, sps[which], which);
	leaf("leaf resume by_hand main");
	KEEP;
}

NOINLINE void by_hand()
{
	for (int i = 0; i < 3; i++) {
		void **top = (void **)(stacks[i] + STACK) - 2;
		*--top = (void *)body;
		sps[i] = top - 6;
	}
	for (int round = 0; round < 4; round++) {
		resume(0);
		leaf("leaf by_hand main");
		resume(2);
		resume(1);
	}
	KEEP;
}

static ucontext_t generator_contexts[2];

static void generator(int which)
{
	for (int round = 0; round < 3; round++) {
		deep(which + 1, which == 0 ? "deep deep generator" : "deep deep deep generator");
		swapcontext(&generator_contexts[which], &main_context);
		leaf("leaf generator");
	}
}

NOINLINE void generators()
{
	static char memory[2][65536];
	for (int which = 0; which < 2; which++) {
		getcontext(&generator_contexts[which]);
		generator_contexts[which].uc_stack.ss_sp = memory[which];
		generator_contexts[which].uc_stack.ss_size = sizeof memory[which];
		generator_contexts[which].uc_link = &main_context;
		makecontext(&generator_contexts[which], (void (*)())generator, 1, which);
	}
	for (int round = 0; round < 3; round++) {
		for (int which = 0; which < 2; which++) {
			swapcontext(&main_context, &generator_contexts[which]);
			leaf("leaf generators main");
		}
	}
	KEEP;
}

static int compare(const void *a, const void *b)
{
	leaf("leaf compare * sorts main");
	return *(const char *)a - *(const char *)b;
}

NOINLINE void sorts()
{
	char letters[] = "ba";
	qsort(letters, 2, 1, compare);
	KEEP;
}

/* A jump instead of a call and a return: no frame of its own. */
__asm__(".text\n.type jumper, @function\njumper: jmp leaf_of_asm\n");
extern "C" void jumper(const char *);
extern "C" __attribute__((noinline)) void leaf_of_asm(const char *callers)
{
	point(callers);
	KEEP;
}

/* The flush is the function's first instruction: the stack pointer is where the return address lies. */
__asm__(".text\n.type flushes_first, @function\nflushes_first: clflush (%rdi); ret\n.size flushes_first, .-flushes_first\n");
extern "C" void flushes_first(char *);

NOINLINE void calls_flushes_first()
{
	pm[5] = 1;
	say("stack flushes_first calls_flushes_first main");
	flushes_first(pm);
	KEEP;
}

static void *in_thread(void *)
{
	leaf("leaf in_thread *");
	deep(3, "deep deep deep deep in_thread *");
	KEEP;
	return nullptr;
}

int main(int argc, char **argv)
{
	CHECK(argc == 2 && chdir(argv[1]) == 0);
	pm = map_file("stacks", 4096);
	leaf("leaf main");
	deep(2, "deep deep deep main");
	after_longjmp();
	catches();
	signals();
	coroutines();
	by_hand();
	generators();
	sorts();
	jumper("leaf_of_asm main");
	calls_flushes_first();
	pthread_t thread;
	pthread_create(&thread, nullptr, in_thread, nullptr);
	pthread_join(thread, nullptr);
	leaf("leaf main");
	say_all();
	return 0;
}
