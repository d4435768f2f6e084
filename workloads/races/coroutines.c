/*
 * Coroutines with stacks of their own (ucontext) in one thread: the one that stores takes the lock, another one
 * persists. Locks belong to the thread, whatever stack it runs on.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"

#include <ucontext.h>

#define STACK (64 * 1024)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ucontext_t thread_context, coroutine;
static char stacks[2][STACK];

static void store(void)
{
	pthread_mutex_lock(&lock);
	X = 1; /* AT store */
}

static void persist(void)
{
	pm_persist(&X); /* AT persist */
}

static void run(void (*function)(void), char *stack)
{
	need(getcontext(&coroutine) == 0, "getcontext");
	coroutine.uc_stack.ss_sp = stack;
	coroutine.uc_stack.ss_size = STACK;
	coroutine.uc_link = &thread_context;
	makecontext(&coroutine, function, 0);
	need(swapcontext(&thread_context, &coroutine) == 0, "swapcontext");
}

static void *writer(void *unused)
{
	run(store, stacks[0]);
	if (racy)
		pthread_mutex_unlock(&lock);
	run(persist, stacks[1]);
	if (!racy)
		pthread_mutex_unlock(&lock);
	pass(1);
	return unused;
}

static void *reader(void *unused)
{
	turn(1);
	pthread_mutex_lock(&lock);
	sink = X; /* AT load */
	pthread_mutex_unlock(&lock);
	return unused;
}

RACE_MAIN(writer, reader)
