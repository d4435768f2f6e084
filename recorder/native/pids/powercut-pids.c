/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * powercut-pids COMMAND...: runs a command so that process and thread ids are the same in every execution. The C
 * library stores them in mutexes, and programs in lock files, and both can be in persistent memory.
 *
 * The command gets a PID namespace of its own, in which ids start high: an id found in an image later should not belong
 * to a running process. /proc is that of the namespace. There are three processes: this one, which the caller waits for
 * and which ends like the command, by the same signal if need be; the first process of the namespace, with which all
 * others in it end; the command.
 *
 * Where the system does not allow this (it takes root or user namespaces), the command is run as it is.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define LAST_PID "/proc/sys/kernel/ns_last_pid"
#define LARGEST_PID "/proc/sys/kernel/pid_max"

static sigset_t callers_mask;

static void run(char **command)
{
	sigprocmask(SIG_SETMASK, &callers_mask, NULL);
	execvp(command[0], command);
	fprintf(stderr, "powercut-pids: %s: %s\n", command[0], strerror(errno));
	_exit(127);
}

static int write_file(const char *path, const char *text)
{
	int file = open(path, O_WRONLY | O_CLOEXEC);
	if (file < 0)
		return 0;
	ssize_t written = write(file, text, strlen(text));
	close(file);
	return written == (ssize_t)strlen(text);
}

/* Seven eighths of the largest id: seldom in use, and the rest is enough for one execution. */
static int first_pid(void)
{
	char text[32] = "";
	int file = open(LARGEST_PID, O_RDONLY | O_CLOEXEC);
	ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
	if (file >= 0)
		close(file);
	int largest = length > 0 ? atoi(text) : 32768;
	return largest / 8 * 7;
}

static int enter_user_namespace(void)
{
	uid_t user = getuid();
	gid_t group = getgid();
	char line[64];
	if (unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS) != 0)
		return 0;
	/* The same ids as outside. On failure the user has no name, but still has access to files. */
	write_file("/proc/self/setgroups", "deny");
	snprintf(line, sizeof line, "%u %u 1", user, user);
	write_file("/proc/self/uid_map", line);
	snprintf(line, sizeof line, "%u %u 1", group, group);
	write_file("/proc/self/gid_map", line);
	return 1;
}

/* Whether the next child is the first process of a new PID namespace. */
static int enter_namespaces(void)
{
	if (access(LAST_PID, W_OK) != 0)
		return 0;
	return unshare(CLONE_NEWPID | CLONE_NEWNS) == 0 || enter_user_namespace();
}

/* The namespace's first process. When it ends, the kernel kills all others in it. */
static void be_first(char **command, int result)
{
	char text[32];
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "powercut-pids");
	snprintf(text, sizeof text, "%d", first_pid() - 1);
	write_file(LAST_PID, text);
	if (mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) == 0)
		(void)mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
	pid_t child = fork();
	if (child == 0) {
		setsid();
		run(command);
	}
	for (;;) {
		int status;
		pid_t ended = wait(&status);
		if (ended == child && write(result, &status, sizeof status) == sizeof status)
			_exit(0);
		if (ended < 0 && errno != EINTR)
			_exit(127);
	}
}

static void __attribute__((noreturn)) end_like(int status)
{
	if (WIFEXITED(status))
		exit(WEXITSTATUS(status));
	int number = WTERMSIG(status);
	sigset_t only;
	sigemptyset(&only);
	sigaddset(&only, number);
	setrlimit(RLIMIT_CORE, &(struct rlimit){0}); /* the command's core is enough */
	signal(number, SIG_DFL);
	raise(number);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	exit(128 + number);
}

int main(int count, char **arguments)
{
	if (count < 2) {
		fputs("usage: powercut-pids COMMAND...\n", stderr);
		return 2;
	}
	/* Signals to the group are for the command. */
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &callers_mask);
	int result[2];
	if (pipe2(result, O_CLOEXEC) != 0 || !enter_namespaces())
		run(arguments + 1);
	pid_t first = fork();
	if (first == 0) {
		close(result[0]);
		be_first(arguments + 1, result[1]);
	}
	close(result[1]);
	if (first < 0) {
		perror("powercut-pids: fork");
		return 127;
	}
	int status;
	if (read(result[0], &status, sizeof status) != sizeof status)
		status = SIGKILL; /* the namespace was killed */
	while (waitpid(first, NULL, 0) < 0 && errno == EINTR)
		;
	end_like(status);
}
