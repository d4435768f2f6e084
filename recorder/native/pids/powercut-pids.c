/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * powercut-pids [--as=FILE] COMMAND...: runs a command so that process and thread ids are the same in every execution.
 * The C library stores them in mutexes, and programs in lock files, and both can be in persistent memory.
 * powercut-pids --with=FILE COMMAND...: runs a command where the other one runs, of which FILE says where that is: a
 * client that gets a process id from its server, for example, can use it. If it still runs when the other one has ended,
 * it has a second to end.
 *
 * The command gets a PID namespace of its own, in which ids start high: an id found in an image later should not belong
 * to a running process. /proc is that of the namespace. There are three processes: this one, which the caller waits for
 * and which ends like the command, by the same signal if need be; the first process of the namespace, with which all
 * others in it end; the command.
 *
 * Where the system does not allow this (it takes root or user namespaces), the command is run as it is.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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

#define MOMENT_OF_GUESTS 200 /* times 5 ms */
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
	int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
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

/* Enters the namespaces of the process of which the file has the number, as far as they are other ones. */
static int join_namespaces(const char *file)
{
	static const struct {
		const char *name;
		int type;
	} kinds[] = {{"user", CLONE_NEWUSER}, {"pid_for_children", CLONE_NEWPID}, {"mnt", CLONE_NEWNS}};
	char path[64], folder[PATH_MAX], text[32] = "";
	int entries[3];
	int from = open(file, O_RDONLY | O_CLOEXEC);
	if (from < 0 || read(from, text, sizeof text - 1) <= 0 || !getcwd(folder, sizeof folder))
		return 0;
	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof path, "/proc/%d/ns/%s", atoi(text), kinds[i].name);
		entries[i] = open(path, O_RDONLY | O_CLOEXEC);
	}
	/* For root there is no user namespace, and the one where one is cannot be entered. */
	for (int i = 0; i < 3; i++)
		if (setns(entries[i], kinds[i].type) != 0 && kinds[i].type != CLONE_NEWUSER)
			return 0;
	return chdir(folder) == 0; /* the mounts are other ones */
}

/* A signal that asks to end, for example. Before the command is in a group of its own, it is alone. */
static void forward(pid_t child, int number)
{
	if (kill(-child, number) != 0)
		kill(child, number);
}

struct result {
	int status;
	int was_asked; /* by a signal: what the command has started may take longer to end */
};

/* Whether a process runs whose parent is outside the namespace. */
static int is_guest(const char *pid)
{
	char path[64], text[512], state;
	int parent;
	snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
	if (file >= 0)
		close(file);
	if (length <= 0)
		return 0;
	text[length] = 0;
	const char *end_of_name = strrchr(text, ')');
	return end_of_name && sscanf(end_of_name, ") %c %d", &state, &parent) == 2 && parent == 0 && state != 'Z' &&
			state != 'X';
}

static int has_guests(void)
{
	struct dirent *entry;
	int found = 0;
	DIR *processes = opendir("/proc");
	while (processes && !found && (entry = readdir(processes)))
		found = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && strcmp(entry->d_name, "1") != 0 &&
				is_guest(entry->d_name);
	if (processes)
		closedir(processes);
	return found;
}

/* The one that told the command to end, for example, has a moment to end by itself. */
static void wait_for_guests(void)
{
	char own[4] = "";
	if (readlink("/proc/self", own, sizeof own - 1) != 1 || own[0] != '1')
		return; /* /proc is not that of the namespace */
	for (int looks = 0; looks < MOMENT_OF_GUESTS && has_guests(); looks++)
		usleep(5000);
}

static int wait_for_all(pid_t child, struct result *result, int to)
{
	int status;
	pid_t ended;
	while ((ended = waitpid(-1, &status, WNOHANG)) > 0) {
		if (ended != child)
			continue;
		if (result->was_asked)
			prctl(PR_SET_PDEATHSIG, 0);
		result->status = status;
		if (write(to, result, sizeof *result) != sizeof *result)
			_exit(127);
		if (!result->was_asked) {
			wait_for_guests();
			_exit(0);
		}
	}
	return ended == 0;
}

/* The namespace's first process. When it ends, the kernel kills all others in it. */
static void be_first(char **command, int to)
{
	char text[32];
	sigset_t all;
	struct result result = {0};
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
	sigfillset(&all);
	for (;;) {
		int number = sigwaitinfo(&all, NULL);
		if (number == SIGCHLD && !wait_for_all(child, &result, to))
			_exit(0);
		if (number > 0 && number != SIGCHLD) {
			result.was_asked = 1;
			forward(child, number);
		}
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

static pid_t wait_for(pid_t child, int *status)
{
	pid_t ended;
	do
		ended = waitpid(child, status, 0);
	while (ended < 0 && errno == EINTR);
	return ended;
}

static int run_first(const char *file, char **command)
{
	char text[32];
	int ends[2];
	if (file)
		unlink(file);
	if (pipe2(ends, O_CLOEXEC) != 0 || !enter_namespaces())
		run(command);
	pid_t first = fork();
	if (first == 0) {
		close(ends[0]);
		be_first(command, ends[1]);
	}
	close(ends[1]);
	if (first < 0) {
		perror("powercut-pids: fork");
		return 127;
	}
	snprintf(text, sizeof text, "%d", getpid());
	if (file)
		write_file(file, text);
	struct result result;
	if (read(ends[0], &result, sizeof result) != sizeof result)
		result = (struct result){.status = SIGKILL}; /* the namespace was killed */
	if (!result.was_asked)
		(void)wait_for(first, NULL);
	end_like(result.status);
}

/* Orphans of this command become children of the namespace's first process, and end with the other command. */
static int run_with(const char *file, char **command)
{
	if (!join_namespaces(file))
		run(command);
	pid_t child = fork();
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		run(command);
	}
	int status = 0;
	if (child < 0 || wait_for(child, &status) < 0) {
		perror("powercut-pids: fork");
		return 127;
	}
	end_like(status);
}

static const char *option(const char *argument, const char *name)
{
	size_t length = strlen(name);
	return argument && strncmp(argument, name, length) == 0 ? argument + length : NULL;
}

int main(int count, char **arguments)
{
	char **command = arguments + (count > 0);
	const char *as = option(*command, "--as="), *with = option(*command, "--with=");
	command += as || with;
	if (!*command) {
		fputs("usage: powercut-pids [--as=FILE | --with=FILE] COMMAND...\n", stderr);
		return 2;
	}
	/* Signals to the group are for the command. */
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &callers_mask);
	return with ? run_with(with, command) : run_first(as, command);
}
