// SPDX-License-Identifier: Apache-2.0
// powercut-catch SIGNAL DIRECTORY GDB COMMAND [ARGUMENT...]
// powercut-catch hang=MILLISECONDS DIRECTORY GDB COMMAND [ARGUMENT...]
//
// Runs a command and everything it starts under ptrace, at nearly full speed. As soon as one of its processes is about
// to die of SIGNAL (0: of any signal that means a crash), it writes the process to DIRECTORY (`crash`) and its mappings
// (`maps`), and becomes a gdb that prints the stacks (to `stack`) and writes a core file (`core`). Signals that the
// program handles itself are left to it. If nothing crashes, it ends as the command ended.
//
// The second form examines a command that does not end: when the time is up and the command still runs, or at signal
// LOOK, it writes the process that the command waits for (`hang`) and `maps`, and becomes gdb in the same way. The
// other processes of the command are killed. A signal to the whole group that asks a server to stop is for the server.
//
// Neither /proc/sys/kernel/core_pattern nor ulimits are touched. It turns into gdb instead of starting it, so that gdb
// is an ancestor of what it attaches to: Yama (ptrace_scope 1) allows nothing else.
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
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK 61 // ServerRun has the same number
#define MOST_CHOICES 50 // attempts, if the chosen process ended before it was stopped

static int wanted;
static long hang_milliseconds; // 0: look for crashes
static volatile sig_atomic_t time_is_over;
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
	case SIGSYS: return 1;
	default: return 0;
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
	if (hang_milliseconds || does_not_kill(signal) || (wanted ? signal != wanted : !stands_for_a_crash(signal)))
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
	// Sent by a program, as abort does: again, for gdb. A fault recurs by itself when its instruction does.
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

// Calls the function for every other thread of the process; returns how many there were.
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

static int is_halted(pid_t task)
{
	int status;
	return ptrace(PTRACE_INTERRUPT, task, NULL, NULL) == 0 && waitpid(task, &status, __WALL) == task &&
			WIFSTOPPED(status);
}

static void halt(pid_t task)
{
	(void)is_halted(task);
}

static void let_go(pid_t task)
{
	ptrace(PTRACE_DETACH, task, NULL, NULL);
}

static void __attribute__((noreturn)) become_debugger(pid_t process, pid_t task, int threads, int crashes)
{
	char number[16], core[PATH_MAX + 24], choose[160];
	FILE *stack = evidence("stack");
	dup2(fileno(stack), STDOUT_FILENO);
	dup2(fileno(stack), STDERR_FILENO);
	snprintf(number, sizeof number, "%d", process);
	snprintf(core, sizeof core, "generate-core-file %s/core", directory);
	snprintf(choose, sizeof choose, "python [t.switch() for t in gdb.selected_inferior().threads() if t.ptid[1] == %d]",
			task);
	const char *arguments[] = {debugger, "-nx", "-batch", "-iex", "set pagination off", "-iex", "set width 0", "-iex",
			"set debuginfod enabled off", "-iex", "set print frame-info location-and-address", "-iex",
			"set print frame-arguments scalars", "-iex", "set confirm off", "-p", number, "-ex",
			"handle all nostop print", "-ex", "handle SIGSTOP nostop noprint nopass", "-ex",
			"handle SIGSEGV SIGBUS SIGFPE SIGILL SIGABRT SIGTRAP SIGSYS stop print", "-ex",
			// Only the thread that crashes continues, to its crash.
			threads > 0 ? choose : "echo", "-ex", "set scheduler-locking on", "-ex", crashes ? "continue" : "echo",
			"-ex", "echo BACKTRACE\\n", "-ex", "backtrace 200", "-ex", "echo END\\n", "-ex", "x/i $pc", "-ex",
			crashes ? core : "echo", "-ex", threads > 0 ? "thread apply all backtrace 50" : "echo", "-ex", "kill",
			NULL};
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
	// The signal itself is withheld. It is replaced by a stop, in which all threads wait for gdb.
	ptrace(PTRACE_DETACH, task, NULL, SIGSTOP);
	for_other_threads(process, task, let_go);
	become_debugger(process, task, others, 1);
}

// Which process to examine in a hang: the command waits for the processes deepest below it, preferably for one that
// computes rather than one that sleeps.
struct choice {
	pid_t process;
	int running;
	int depth;
	unsigned long long cpu; // ticks
};

struct process_state {
	char state;
	pid_t parent;
	unsigned long long cpu;
};

static int read_state(const char *path, struct process_state *result)
{
	char text[1024];
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return 0;
	ssize_t count = read(file, text, sizeof text - 1);
	close(file);
	if (count <= 0)
		return 0;
	text[count] = 0;
	char *behind_name = strrchr(text, ')');
	unsigned long long user, system;
	if (!behind_name ||
			sscanf(behind_name + 1, " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &result->state,
					&result->parent, &user, &system) != 4)
		return 0;
	result->cpu = user + system;
	return result->state != 'Z' && result->state != 'X';
}

static int process_state(pid_t process, struct process_state *result)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/stat", process);
	return read_state(path, result);
}

static int depth_of(pid_t process)
{
	struct process_state state;
	int depth = 0;
	while (process != getpid() && process > 1 && depth < 1000 && process_state(process, &state)) {
		process = state.parent;
		depth++;
	}
	return depth;
}

static int is_better(const struct choice *one, const struct choice *other)
{
	if (one->running != other->running)
		return one->running;
	if (one->depth != other->depth)
		return one->depth > other->depth;
	return one->cpu >= other->cpu;
}

static void consider(pid_t process, void *best)
{
	struct process_state state;
	if (!process_state(process, &state))
		return;
	struct choice choice = {process, state.state == 'R', depth_of(process), state.cpu};
	if (!((struct choice *)best)->process || is_better(&choice, best))
		*(struct choice *)best = choice;
}

// The thread that computes; the first one if all sleep.
static pid_t thread_of(pid_t process)
{
	char path[300];
	snprintf(path, sizeof path, "/proc/%d/task", process);
	DIR *tasks = opendir(path);
	struct dirent *entry;
	pid_t running = 0;
	while (tasks && !running && (entry = readdir(tasks))) {
		struct process_state state;
		snprintf(path, sizeof path, "/proc/%d/task/%.20s/stat", process, entry->d_name);
		if (entry->d_name[0] != '.' && read_state(path, &state) && state.state == 'R')
			running = atoi(entry->d_name);
	}
	if (tasks)
		closedir(tasks);
	return running ? running : process;
}

static void write_hang(pid_t process, pid_t task)
{
	char path[64], executable[PATH_MAX] = "";
	snprintf(path, sizeof path, "/proc/%d/exe", process);
	if (readlink(path, executable, sizeof executable - 1) < 0)
		executable[0] = 0;
	FILE *hang = evidence("hang");
	fprintf(hang, "process %d\nthread %d\nprogram %s\n", process, task, executable);
	fclose(hang);
}

// Returns only if nothing could be stopped, since all chosen processes had ended by then.
static void look_at_hang(void)
{
	for (int attempt = 0; attempt < MOST_CHOICES; attempt++) {
		struct choice best = {0};
		descendants_visit(getpid(), consider, &best);
		pid_t task = best.process ? thread_of(best.process) : 0;
		if (!task || !is_halted(task))
			continue;
		int others = for_other_threads(best.process, task, halt);
		descendants_visit(getpid(), kill_unless, &best.process);
		write_hang(best.process, task);
		copy_maps(best.process);
		kill(best.process, SIGSTOP); // it waits for gdb
		let_go(task);
		for_other_threads(best.process, task, let_go);
		become_debugger(best.process, task, others, 0);
	}
}

static void handle_stop(pid_t task, int status)
{
	int signal = WSTOPSIG(status), event = status >> 16;
	pid_t process;
	if (hang_milliseconds && event == 0 && signal == LOOK) {
		ptrace(PTRACE_CONT, task, NULL, 0);
	} else if (event == PTRACE_EVENT_STOP && signal != SIGTRAP) {
		ptrace(PTRACE_LISTEN, task, NULL, NULL); // stopped by SIGSTOP or the like, and must stay so
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
	long options =
			PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
	// EXITKILL would kill the crashed process if gdb detached, but by then it is no longer ours.
	if (ptrace(PTRACE_SEIZE, child, NULL, options) != 0)
		fail("ptrace");
	if (write(ready[1], "", 1) != 1)
		fail("pipe");
	close(ready[0]);
	close(ready[1]);
	return child;
}

static void end_time(int signal)
{
	(void)signal;
	time_is_over = 1;
}

static void pass_by(int signal)
{
	(void)signal;
}

static void take_signals(void)
{
	static const int passing[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
	for (size_t index = 0; index < sizeof passing / sizeof *passing; index++)
		sigaction(passing[index], &(struct sigaction){.sa_handler = pass_by}, NULL);
	sigaction(SIGALRM, &(struct sigaction){.sa_handler = end_time}, NULL);
	sigaction(LOOK, &(struct sigaction){.sa_handler = end_time}, NULL);
}

// The timer rings again, in case nobody was waiting, or the hang could not be examined. A time of 0 stops it.
static void set_timer(long milliseconds)
{
	long again = milliseconds ? 20000 : 0;
	struct itimerval timer = {{0, again}, {milliseconds / 1000, milliseconds % 1000 * 1000}};
	setitimer(ITIMER_REAL, &timer, NULL);
}

static void look_for_hang(void)
{
	if (!time_is_over)
		return;
	set_timer(0); // gdb would get it
	look_at_hang();
	time_is_over = 0;
	set_timer(1);
}

int main(int count, char **arguments)
{
	if (count < 5) {
		fputs("usage: powercut-catch SIGNAL|hang=MILLISECONDS DIRECTORY GDB COMMAND [ARGUMENT...]\n", stderr);
		return 70;
	}
	if (sscanf(arguments[1], "hang=%ld", &hang_milliseconds) != 1)
		wanted = atoi(arguments[1]);
	directory = arguments[2];
	debugger = arguments[3];
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (hang_milliseconds)
		take_signals();
	pid_t child = start(arguments + 4);
	set_timer(hang_milliseconds);
	for (;;) {
		int status;
		look_for_hang();
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
