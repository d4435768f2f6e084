/* SPDX-License-Identifier: Apache-2.0 */
#include "signals.h"

#include "spin.h"
#include "start.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define OURS 3

static const int numbers[OURS] = {SIGSEGV, SIGTRAP, SIGSYS};
static fault_handler *handlers[OURS];
static struct sigaction of_program[OURS];

REAL(int, sigaction, int, const struct sigaction *, struct sigaction *)
REAL(int, sigprocmask, int, const sigset_t *, sigset_t *)
REAL(int, pthread_sigmask, int, const sigset_t *, sigset_t *)

/* Its place in the tables; -1 = the runtime has no use for it. */
static int place_of(int signal)
{
	for (int i = 0; i < OURS; i++)
		if (numbers[i] == signal && handlers[i] != NULL)
			return i;
	return -1;
}

static void handle(int signal, siginfo_t *info, void *context)
{
	int error = errno;
	int place = place_of(signal);
	bool handled = handlers[place](info, context);
	errno = error;
	if (handled)
		return;
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &((ucontext_t *)context)->uc_sigmask, NULL, sizeof(uint64_t));
	struct sigaction action = of_program[place];
	if ((action.sa_flags & SA_SIGINFO) != 0) {
		action.sa_sigaction(signal, info, context);
	} else if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) {
		/* Happens again as soon as this returns, and then ends the program as it would have done. */
		action.sa_handler = SIG_DFL;
		real_sigaction()(signal, &action, NULL);
	} else {
		action.sa_handler(signal);
	}
}

static sigset_t without_ours(const sigset_t *set)
{
	sigset_t changed = *set;
	for (int i = 0; i < OURS; i++)
		if (handlers[i] != NULL)
			sigdelset(&changed, numbers[i]);
	return changed;
}

/* Other signals wait until a handler of ours is done: theirs may jump out of it. */
void signals_start(fault_handler *on_fault, fault_handler *on_trap, fault_handler *on_call)
{
	handlers[0] = on_fault;
	handlers[1] = on_trap;
	handlers[2] = on_call;
	struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
	sigset_t all;
	sigfillset(&all);
	action.sa_mask = without_ours(&all);
	for (int i = 0; i < OURS; i++)
		if (handlers[i] != NULL)
			real_sigaction()(numbers[i], &action, &of_program[i]);
}

/* From now on, what the runtime must do as a whole may be left for good by a handler. */
static void has_handler(const struct sigaction *action)
{
	bool is_function =
			(action->sa_flags & SA_SIGINFO) != 0 || (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
	if (is_function)
		atomic_store(&spin_may_be_left, true);
}

EXPORT int sigaction(int signal, const struct sigaction *action, struct sigaction *old)
{
	int place = place_of(signal);
	if (action != NULL)
		has_handler(action);
	if (place >= 0) {
		struct sigaction before = of_program[place];
		if (action != NULL)
			of_program[place] = *action;
		if (old != NULL)
			*old = before;
		return 0;
	}
	if (action == NULL)
		return real_sigaction()(signal, action, old);
	/* A handler's accesses fault too. */
	struct sigaction changed = *action;
	changed.sa_mask = without_ours(&action->sa_mask);
	return real_sigaction()(signal, &changed, old);
}

EXPORT sighandler_t signal(int number, sighandler_t handler)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
	return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

/* What signal() is with strict standards: the handler is there for one signal, which it does not block. */
EXPORT sighandler_t __sysv_signal(int number, sighandler_t handler);
sighandler_t __sysv_signal(int number, sighandler_t handler)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = (int)SA_RESETHAND | SA_NODEFER}, old;
	return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

#define MASKS(name) \
	EXPORT int name(int how, const sigset_t *set, sigset_t *old) \
	{ \
		if (set == NULL || how == SIG_UNBLOCK) \
			return real_##name()(how, set, old); \
		sigset_t changed = without_ours(set); \
		return real_##name()(how, &changed, old); \
	}

MASKS(sigprocmask)
MASKS(pthread_sigmask)
