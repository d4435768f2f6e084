/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fork, vfork and exec. With a second argument it is a program that was executed: it stores at that place. */
#include "pm.h"

#include <spawn.h>

extern char **environ;

#define ROUNDS 3000

static char *directory;

static void executed(const char *place)
{
	char *pm = map_file("processes", 65536);
	strcpy(pm + atoi(place), "executed");
	persist(pm + atoi(place));
}

static void wait_for(pid_t pid)
{
	int status;
	CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0);
}

static pid_t child_that_stores(char *pm, int place)
{
	pid_t pid = fork();
	if (pid != 0)
		return pid;
	for (int i = 0; i < ROUNDS; i++) {
		pm[place + i % 500] = (char)i;
		*(int *)(pm + 40000) = place + i; /* the parent and the others store there, too */
		__sync_fetch_and_add((int *)(pm + 40064), 1);
		if (i % 8 == 0)
			persist(pm + place + i);
	}
	char *own = map_file("child", 8192);
	own[place / 8] = 1;
	int fd = open("common", O_CREAT | O_WRONLY | O_APPEND, 0644);
	CHECK(write(fd, "child\n", 6) == 6);
	if (place % 2000 == 0)
		_exit(0); /* without a word */
	exit(0);
}

/* A child has not ended when it has only stopped. */
static void stop_and_end(void)
{
	siginfo_t ending;
	int status;
	pid_t pid = fork();
	if (pid == 0) {
		raise(SIGSTOP);
		_exit(0);
	}
	CHECK(waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status));
	CHECK(waitpid(pid, (int *)8, WNOHANG) == 0); /* does not touch it */
	CHECK(kill(pid, SIGCONT) == 0);
	CHECK(waitid(P_PID, (id_t)pid, &ending, WEXITED | WNOWAIT) == 0 && ending.si_pid == pid);
	CHECK(waitid(P_PID, (id_t)pid, &ending, WEXITED) == 0 && ending.si_pid == pid);
	CHECK(waitpid(pid, &status, 0) == -1);
}

int main(int argc, char **argv)
{
	CHECK(argc >= 2 && chdir(argv[1]) == 0);
	directory = argv[1];
	if (argc == 3) {
		executed(argv[2]);
		return 0;
	}
	char *pm = map_file("processes", 65536);
	pm[0] = 1;
	pid_t children[3];
	for (int i = 0; i < 3; i++)
		children[i] = child_that_stores(pm, 1000 + 1000 * i);
	for (int i = 0; i < ROUNDS; i++) {
		*(int *)(pm + 40000) = i;
		__sync_fetch_and_add((int *)(pm + 40064), 1);
	}
	for (int i = 0; i < 3; i++)
		wait_for(children[i]);
	CHECK(*(int *)(pm + 40064) == 4 * ROUNDS);
	pid_t pid = vfork();
	if (pid == 0) {
		execl("/proc/self/exe", argv[0], directory, "20000", NULL);
		_exit(1);
	}
	wait_for(pid);
	char *arguments[] = {argv[0], directory, "21000", NULL};
	CHECK(posix_spawn(&pid, argv[0], NULL, NULL, arguments, environ) == 0);
	wait_for(pid);
	pid = fork();
	if (pid == 0) { /* a daemon: its parent is gone when it stores */
		pid = fork();
		if (pid == 0) {
			usleep(100000);
			pm[30000] = 1;
			persist(pm + 30000);
			_exit(0);
		}
		_exit(0);
	}
	wait_for(pid);
	pm[1] = 2;
	persist(pm);
	stop_and_end();
	CHECK(system("exit 0") == 0);
	execl(argv[0], argv[0], directory, "22000", NULL);
	return 1;
}
