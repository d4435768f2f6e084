/* SPDX-License-Identifier: Apache-2.0 */
/*
 * powercut-reads LINES COMMAND...: runs a command at nearly native speed, and finds out which of the given lines of
 * files it reads before it overwrites them.
 *
 * Only pages that hold such lines are watched. They are made inaccessible: each access traps, is accounted for, and is
 * executed with the page open. A page stays open once all its lines are read. System calls that read files or memory
 * stop at a seccomp filter. What cannot be followed counts as read.
 */
#include "ahead.h"
#include "calls.h"
#include "filter.h"
#include "follow.h"
#include "lines.h"
#include "traps.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define OPTIONS \
	(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | \
			PTRACE_O_TRACESECCOMP | PTRACE_O_EXITKILL)
#define SYSTEM_CALL_STOP (SIGTRAP | 0x80)

static pid_t command;
static bool is_started;
static int ending;

static void go_on(struct task *task, int signal)
{
	ptrace(task->call == -1 ? PTRACE_CONT : PTRACE_SYSCALL, task->tid, NULL, signal);
}

static pid_t start(char **arguments)
{
	int ready[2];
	char go;
	if (pipe2(ready, O_CLOEXEC) != 0)
		err(2, "pipe");
	pid_t child = fork();
	if (child < 0)
		err(2, "fork");
	if (child == 0) {
		close(ready[1]);
		if (read(ready[0], &go, 1) != 1)
			_exit(2);
		if (!filter_start())
			err(126, "powercut-reads: no seccomp filter");
		execvp(arguments[0], arguments);
		err(127, "powercut-reads: %s", arguments[0]);
	}
	if (ptrace(PTRACE_SEIZE, child, NULL, OPTIONS) != 0)
		err(2, "powercut-reads: ptrace");
	if (write(ready[1], "", 1) != 1)
		err(2, "pipe");
	close(ready[0]);
	close(ready[1]);
	return child;
}

static bool shares_memory(pid_t tid)
{
	struct user_regs_struct at;
	uint64_t flags = 0;
	if (!tracee_registers(tid, &at))
		return true;
	if (at.orig_rax == SYS_clone)
		flags = at.rdi;
	else if (at.orig_rax == SYS_clone3)
		tracee_read(tid, at.rdi, &flags, sizeof flags);
	return flags & CLONE_VM || at.orig_rax == SYS_vfork;
}

static void child_of(struct task *parent)
{
	unsigned long tid;
	if (ptrace(PTRACE_GETEVENTMSG, parent->tid, NULL, &tid) != 0)
		return;
	struct space *space = parent->space;
	if (shares_memory(parent->tid))
		space->tasks++;
	else
		space = space_copy(space);
	struct task *child = task_of(tid);
	if (child == NULL) {
		task_new(tid, space);
		return;
	}
	child->space = space;
	go_on(child, 0);
}

static void executes(struct task *task)
{
	unsigned long former;
	if (ptrace(PTRACE_GETEVENTMSG, task->tid, NULL, &former) == 0 && (pid_t)former != task->tid) {
		struct task *thread = task_of(former);
		if (thread != NULL)
			task_delete(thread);
	}
	is_started = true;
	ahead_changed();
	struct space *space = space_executing(task->space);
	space_leave(task->space);
	task->space = space;
	task->call = -1;
	task->opened_count = 0;
	task->shadow_stack = NOT_ASKED;
}

static void resume(struct task *task, enum trap trap)
{
	task->is_stepping = trap == STEP;
	if (trap == STEP)
		ptrace(PTRACE_SINGLESTEP, task->tid, NULL, 0);
	else
		go_on(task, 0); /* perhaps to a breakpoint */
}

static void on_signal(struct task *task, int signal)
{
	if (signal == SIGTRAP && task->opened_count > 0) {
		enum trap trap = traps_stepped(task);
		resume(task, trap == GO_ON ? traps_next(task) : trap);
		return;
	}
	if (signal == SIGTRAP && follow_is_on(task)) {
		resume(task, traps_next(task));
		return;
	}
	enum trap trap = signal == SIGSEGV ? traps_fault(task) : NOT_OURS;
	if (trap != NOT_OURS) {
		resume(task, trap);
		return;
	}
	follow_end(task);
	if (task->opened_count > 0) {
		siginfo_t info;
		bool is_known = ptrace(PTRACE_GETSIGINFO, task->tid, NULL, &info) == 0;
		traps_abandon(task);
		if (is_known)
			ptrace(PTRACE_SETSIGINFO, task->tid, NULL, &info);
	}
	go_on(task, signal);
}

static void on_stop(struct task *task, int status)
{
	int signal = WSTOPSIG(status);
	if (status >> 16 != 0 || signal == SYSTEM_CALL_STOP)
		follow_end(task); /* it goes on without single steps */
	switch (status >> 16) {
	case PTRACE_EVENT_SECCOMP: calls_begin(task); break;
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
	case PTRACE_EVENT_CLONE: child_of(task); break;
	case PTRACE_EVENT_EXEC: executes(task); break;
	case PTRACE_EVENT_STOP:
		if (signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU) {
			ptrace(PTRACE_LISTEN, task->tid, NULL, 0);
			return;
		}
		break;
	default:
		if (signal == SYSTEM_CALL_STOP) {
			calls_end(task);
			break;
		}
		on_signal(task, signal);
		return;
	}
	go_on(task, 0);
}

static void on_end(struct task *task, int status)
{
	follow_end(task);
	if (task->tid == command)
		ending = status;
	task_delete(task);
}

/* Until the command is over; then what still runs is killed, as the caller would. */
static void follow(void)
{
	while (task_of(command) != NULL) {
		int status;
		pid_t tid = waitpid(-1, &status, __WALL);
		if (tid < 0 && errno == EINTR)
			continue;
		if (tid < 0)
			err(2, "powercut-reads: wait");
		struct task *task = task_of(tid);
		if (!WIFSTOPPED(status)) {
			if (task != NULL)
				on_end(task, status);
			continue;
		}
		if (task == NULL)
			task = task_new(tid, NULL); /* Its parent will say what it shares. */
		if (task->space == NULL)
			continue;
		on_stop(task, status);
		if (task->is_over)
			on_end(task, task->status);
	}
	if (tasks != NULL)
		lines_give_up("a process outlives the command");
}

static void end_alike(void)
{
	if (!WIFSIGNALED(ending))
		exit(WEXITSTATUS(ending));
	struct rlimit none = {0};
	setrlimit(RLIMIT_CORE, &none);
	signal(WTERMSIG(ending), SIG_DFL);
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_UNBLOCK, &all, NULL);
	raise(WTERMSIG(ending));
	exit(128 + WTERMSIG(ending));
}

/* What files processes have open is found there. */
static bool is_own_proc(void)
{
	char target[32] = "";
	return readlink("/proc/self", target, sizeof target - 1) > 0 && atoi(target) == getpid();
}

int main(int count, char **arguments)
{
	if (count < 3) {
		fprintf(stderr, "usage: powercut-reads LINES COMMAND...\n");
		return 2;
	}
	lines_open(arguments[1]);
	if (!is_own_proc())
		lines_give_up("/proc is of other processes");
	command = start(arguments + 2);
	task_new(command, space_new());
	follow();
	if (is_started)
		lines_known();
	end_alike();
}
