// SPDX-License-Identifier: Apache-2.0
// powercut-catch SIGNAL DIRECTORY GDB COMMAND [ARGUMENT...]
//
// Runs a command and everything it starts under ptrace, at nearly full speed. As soon as one of its processes is about to die of
// SIGNAL (0: of any signal that stands for a crash), it writes to DIRECTORY who it was (`crash`) and what was mapped where
// (`maps`), and becomes a gdb that prints the stacks (to `stack`) and writes a core file (`core`). Signals that the program
// handles itself are none of our business. If nothing crashes, it ends as the command ended.
//
// Neither /proc/sys/kernel/core_pattern nor ulimits are touched. It turns into gdb, rather than starting it, so that gdb is
// an ancestor of what it attaches to: Yama (ptrace_scope 1) allows nothing else.
#include "descendants.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int wanted;
static const char *directory, *debugger;

static void fail(const char *what)
{
	fprintf(stderr, "powercut-catch: %s: %s\n", what, strerror(errno));
	exit(70);
}

static FILE *open_status(pid_t task)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/status", task);
	return fopen(path, "re");
}

// The process of a thread, and the set of signals that the process handles or ignores.
static pid_t process_of(pid_t task, unsigned long long *not_default)
{
	FILE *status = open_status(task);
	if (!status)
		return 0;
	char line[256];
	int process = 0;
	unsigned long long set;
	*not_default = 0;
	while (fgets(line, sizeof line, status)) {
		sscanf(line, "Tgid: %d", &process);
		if (sscanf(line, "SigIgn: %llx", &set) == 1 || sscanf(line, "SigCgt: %llx", &set) == 1)
			*not_default |= set;
	}
	fclose(status);
	return process;
}

static int stands_for_a_crash(int signal)
{
	switch (signal) {
	case SIGSEGV:
	case SIGBUS:
	case SIGFPE:
	case SIGILL:
	case SIGABRT:
	case SIGTRAP:
	case SIGSYS:
		return 1;
	default:
		return 0;
	}
}

static int does_not_kill(int signal)
{
	return signal == SIGCHLD || signal == SIGCONT || signal == SIGURG || signal == SIGWINCH || signal == SIGSTOP ||
	       signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

static int is_deadly(pid_t task, int signal, pid_t *process)
{
	unsigned long long not_default;
	if (does_not_kill(signal) || (wanted ? signal != wanted : !stands_for_a_crash(signal)))
		return 0;
	*process = process_of(task, &not_default);
	return *process && !(not_default >> (signal - 1) & 1);
}

static FILE *evidence(const char *name)
{
	char path[PATH_MAX];
	snprintf(path, sizeof path, "%s/%s", directory, name);
	FILE *file = fopen(path, "we");
	if (!file)
		fail(path);
	return file;
}

static void write_crash(pid_t process, pid_t task, int signal)
{
	siginfo_t information = {0};
	char path[64], executable[PATH_MAX] = "";
	ptrace(PTRACE_GETSIGINFO, task, NULL, &information);
	snprintf(path, sizeof path, "/proc/%d/exe", process);
	if (readlink(path, executable, sizeof executable - 1) < 0)
		executable[0] = 0;
	FILE *crash = evidence("crash");
	fprintf(crash, "process %d\nthread %d\nsignal %d\ncode %d\n", process, task, signal, information.si_code);
	if (information.si_code > 0 && (signal == SIGSEGV || signal == SIGBUS))
		fprintf(crash, "address 0x%lx\n", (unsigned long)information.si_addr);
	fprintf(crash, "program %s\n", executable);
	fclose(crash);
	// Sent by a program, as abort does: once more, for gdb. A fault comes again by itself when its instruction does.
	if (information.si_code <= 0 || signal == SIGTRAP || signal == SIGSYS)
		syscall(SYS_tgkill, process, task, signal);
}

static void copy_maps(pid_t process)
{
	char path[64], buffer[4096];
	size_t count;
	snprintf(path, sizeof path, "/proc/%d/maps", process);
	FILE *from = fopen(path, "re"), *to = evidence("maps");
	while (from && (count = fread(buffer, 1, sizeof buffer, from)) > 0)
		fwrite(buffer, 1, count, to);
	if (from)
		fclose(from);
	fclose(to);
}

static void kill_unless(pid_t pid, void *process)
{
	if (pid != *(pid_t *)process)
		kill(pid, SIGKILL);
}

// Calls the function for every thread of the process but one; returns how many there were.
static int for_other_threads(pid_t process, pid_t but, void (*function)(pid_t))
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/task", process);
	DIR *tasks = opendir(path);
	if (!tasks)
		return 0;
	int count = 0;
	struct dirent *entry;
	while ((entry = readdir(tasks))) {
		pid_t task = atoi(entry->d_name);
		if (task > 0 && task != but) {
			function(task);
			count++;
		}
	}
	closedir(tasks);
	return count;
}

static void halt(pid_t task)
{
	int status;
	if (ptrace(PTRACE_INTERRUPT, task, NULL, NULL) == 0)
		waitpid(task, &status, __WALL);
}

static void let_go(pid_t task) { ptrace(PTRACE_DETACH, task, NULL, NULL); }

static void __attribute__((noreturn)) become_debugger(pid_t process, pid_t task, int threads)
{
	char number[16], chdir_to[PATH_MAX + 8], choose[160];
	FILE *stack = evidence("stack");
	dup2(fileno(stack), STDOUT_FILENO);
	dup2(fileno(stack), STDERR_FILENO);
	snprintf(number, sizeof number, "%d", process);
	snprintf(chdir_to, sizeof chdir_to, "generate-core-file %s/core", directory);
	snprintf(choose, sizeof choose, "python [t.switch() for t in gdb.selected_inferior().threads() if t.ptid[1] == %d]",
		 task);
	const char *arguments[] = {
		debugger, "-nx", "-batch", "-iex", "set pagination off", "-iex", "set width 0", "-iex",
		"set debuginfod enabled off", "-iex", "set print frame-info location-and-address", "-iex",
		"set print frame-arguments scalars", "-iex", "set confirm off", "-p", number, "-ex",
		"handle all nostop print", "-ex", "handle SIGSTOP nostop noprint nopass", "-ex",
		"handle SIGSEGV SIGBUS SIGFPE SIGILL SIGABRT SIGTRAP SIGSYS stop print", "-ex",
		// Only the thread that crashes goes on, to its crash.
		threads > 0 ? choose : "echo", "-ex", "set scheduler-locking on", "-ex", "continue", "-ex", "echo BACKTRACE\\n",
		"-ex", "backtrace 200", "-ex", "echo END\\n", "-ex", "x/i $pc", "-ex", chdir_to, "-ex",
		threads > 0 ? "thread apply all backtrace 50" : "echo", "-ex", "kill", NULL};
	execvp(debugger, (char *const *)arguments);
	printf("NO DEBUGGER %s: %s\n", debugger, strerror(errno));
	fflush(stdout);
	kill(process, SIGKILL);
	exit(70);
}

static void __attribute__((noreturn)) caught(pid_t process, pid_t task, int signal)
{
	descendants_visit(getpid(), kill_unless, &process);
	int others = for_other_threads(process, task, halt);
	write_crash(process, task, signal);
	copy_maps(process);
	// The signal itself is withheld; a stop takes its place, in which all threads wait for gdb.
	ptrace(PTRACE_DETACH, task, NULL, SIGSTOP);
	for_other_threads(process, task, let_go);
	become_debugger(process, task, others);
}

static void handle_stop(pid_t task, int status)
{
	int signal = WSTOPSIG(status), event = status >> 16;
	pid_t process;
	if (event == PTRACE_EVENT_STOP && signal != SIGTRAP) {
		ptrace(PTRACE_LISTEN, task, NULL, NULL); // stopped by SIGSTOP and the like, and shall stay so
	} else if (event != 0) {
		ptrace(PTRACE_CONT, task, NULL, 0);
	} else if (is_deadly(task, signal, &process)) {
		caught(process, task, signal);
	} else {
		ptrace(PTRACE_CONT, task, NULL, signal);
	}
}

static void __attribute__((noreturn)) end_like(int status)
{
	if (WIFEXITED(status))
		exit(WEXITSTATUS(status));
	setrlimit(RLIMIT_CORE, &(struct rlimit){0});
	signal(WTERMSIG(status), SIG_DFL);
	raise(WTERMSIG(status));
	exit(70);
}

static pid_t start(char **command)
{
	int ready[2];
	char byte;
	if (pipe2(ready, O_CLOEXEC) != 0)
		fail("pipe");
	pid_t child = fork();
	if (child < 0)
		fail("fork");
	if (child == 0) {
		if (read(ready[0], &byte, 1) != 1)
			_exit(70);
		execvp(command[0], command);
		_exit(127);
	}
	long options = PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
	// EXITKILL would take the crashed process with it if gdb let go; by then it is no longer ours.
	if (ptrace(PTRACE_SEIZE, child, NULL, options) != 0)
		fail("ptrace");
	if (write(ready[1], "", 1) != 1)
		fail("pipe");
	close(ready[0]);
	close(ready[1]);
	return child;
}

int main(int count, char **arguments)
{
	if (count < 5) {
		fputs("usage: powercut-catch SIGNAL DIRECTORY GDB COMMAND [ARGUMENT...]\n", stderr);
		return 70;
	}
	wanted = atoi(arguments[1]);
	directory = arguments[2];
	debugger = arguments[3];
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	pid_t child = start(arguments + 4);
	for (;;) {
		int status;
		pid_t task = waitpid(-1, &status, __WALL);
		if (task < 0 && errno == EINTR)
			continue;
		if (task < 0)
			fail("wait");
		if (WIFSTOPPED(status))
			handle_stop(task, status);
		else if (task == child)
			end_like(status);
	}
}
