/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks that lie in PM: as persistent coroutines have them, and a thread's. */
#include "pm.h"

#include <pthread.h>
#include <ucontext.h>

static ucontext_t outside;
static ucontext_t inside;

static __attribute__((noinline)) long sum(long n)
{
	volatile long here = n; /* on the stack */
	return n == 0 ? 0 : here + sum(n - 1);
}

static void coroutine(void)
{
	volatile long result = sum(10);
	CHECK(swapcontext(&inside, &outside) == 0);
	result += sum(20);
}

static void coroutines(void)
{
	char *stack = map_file("coroutine", 65536);
	CHECK(getcontext(&inside) == 0);
	inside.uc_stack.ss_sp = stack;
	inside.uc_stack.ss_size = 65536;
	inside.uc_link = &outside;
	makecontext(&inside, coroutine, 0);
	CHECK(swapcontext(&outside, &inside) == 0);
	CHECK(sum(5) == 15);
	CHECK(swapcontext(&outside, &inside) == 0);
}

/* The jump to the other stack and the first stores there are in one piece of code. */
static void jump(void)
{
	char *stack = map_file("jump", 4096);
	__asm__ volatile("mov %%rsp, %%rbx; mov %0, %%rsp; push $0x77; movq $0x55, -64(%%rsp); pop %%rax; mov %%rbx, %%rsp"
					 :
					 : "r"(stack + 4096)
					 : "rax", "rbx", "memory");
}

static void *on_thread(void *n)
{
	return (void *)sum((long)n);
}

static void thread(void)
{
	char *stack = map_file("thread", 1 << 18);
	pthread_attr_t attributes;
	pthread_t id;
	void *result;
	CHECK(pthread_attr_init(&attributes) == 0);
	CHECK(pthread_attr_setstack(&attributes, stack, 1 << 18) == 0);
	CHECK(pthread_create(&id, &attributes, on_thread, (void *)100) == 0);
	CHECK(pthread_join(id, &result) == 0);
	CHECK(result == (void *)5050);
}

int main(int argc, char **argv)
{
	CHECK(argc == 3);
	CHECK(chdir(argv[1]) == 0);
	switch (argv[2][0]) {
	case 'c': coroutines(); break;
	case 'j': jump(); break;
	default: thread();
	}
	return 0;
}
