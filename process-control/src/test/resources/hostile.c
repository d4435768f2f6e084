// SPDX-License-Identifier: Apache-2.0
// The programs that tests run: each mode misbehaves in one way.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// For ever means two minutes, so that a test that fails leaves nothing for ever.
static time_t end_of_time;

static void sleep_for_ever(void)
{
	while (time(NULL) < end_of_time)
		sleep(1);
}

static void say(const char *text)
{
	puts(text);
	fflush(stdout);
}

// A daemon by the book: two forks and a session of its own, so that neither group nor session nor parent leads to it.
static void daemonise(void)
{
	if (fork() == 0) {
		setsid();
		if (fork() == 0)
			sleep_for_ever();
		_exit(0);
	}
	wait(NULL);
	usleep(100000);
}

static void fork_children(int count)
{
	for (int child = 0; child < count; child++)
		if (fork() == 0)
			sleep_for_ever();
}

// Never twice the same process: each starts the next one, in a new session, and ends.
static void run_from_process_to_process(void)
{
	while (time(NULL) < end_of_time) {
		pid_t child = fork();
		if (child > 0)
			_exit(0);
		setsid();
	}
}

static void use_memory(size_t megabytes)
{
	for (size_t count = 0; count < megabytes; count++) {
		char *page = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		memset(page, 1, 1 << 20);
		usleep(1000);
	}
}

static void fill(const char *path, size_t megabytes)
{
	static char block[1 << 20];
	memset(block, 1, sizeof block);
	int file = open(path, O_CREAT | O_WRONLY, 0644);
	for (size_t count = 0; count < megabytes; count++) {
		if (write(file, block, sizeof block) != sizeof block)
			exit(3);
		usleep(1000);
	}
}

static void print_for_ever(void)
{
	static char line[4096];
	memset(line, 'x', sizeof line);
	line[sizeof line - 1] = '\n';
	while (time(NULL) < end_of_time)
		if (write(1, line, sizeof line) < 0)
			exit(3);
}

static void end_late(int signal)
{
	(void)signal;
	usleep(200000);
	if (write(1, "saved\n", 6) < 0)
		_exit(3);
	_exit(4);
}

static pid_t parent_of(pid_t pid)
{
	char path[64];
	int parent = 0;
	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	FILE *status = fopen(path, "r");
	if (!status || fscanf(status, "%*d (%*[^)]) %*c %d", &parent) != 1)
		exit(3);
	fclose(status);
	return parent;
}

int main(int count, char **arguments)
{
	end_of_time = time(NULL) + 120;
	const char *mode = count > 1 ? arguments[1] : "";
	const char *value = count > 2 ? arguments[2] : "0";
	if (!strcmp(mode, "exit"))
		return atoi(value);
	if (!strcmp(mode, "raise"))
		raise(atoi(value));
	if (!strcmp(mode, "hang"))
		sleep_for_ever();
	if (!strcmp(mode, "spin"))
		while (time(NULL) < end_of_time)
			;
	if (!strcmp(mode, "ignore-term")) {
		signal(SIGTERM, SIG_IGN);
		say("ready");
		sleep_for_ever();
	}
	if (!strcmp(mode, "ends-late-on-term")) {
		signal(SIGTERM, end_late);
		say("ready");
		sleep_for_ever();
	}
	if (!strcmp(mode, "child-ends-late-on-term")) {
		if (fork() == 0) {
			signal(SIGTERM, end_late);
			say("ready");
			sleep_for_ever();
		}
		sleep_for_ever();
	}
	if (!strcmp(mode, "daemon"))
		daemonise();
	if (!strcmp(mode, "children"))
		fork_children(atoi(value));
	if (!strcmp(mode, "children-and-hang")) {
		fork_children(atoi(value));
		say("ready");
		sleep_for_ever();
	}
	if (!strcmp(mode, "runner"))
		run_from_process_to_process();
	if (!strcmp(mode, "memory"))
		use_memory((size_t)atoi(value));
	if (!strcmp(mode, "memory-in-children"))
		for (int child = 0; child < 4; child++)
			if (fork() == 0) {
				use_memory((size_t)atoi(value));
				sleep_for_ever();
			}
	if (!strncmp(mode, "memory-in", 9))
		sleep_for_ever();
	if (!strcmp(mode, "shared-memory")) {
		size_t size = (size_t)atoi(value) << 20;
		char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		memset(memory, 1, size);
		usleep(200000);
	}
	if (!strcmp(mode, "fill"))
		fill(value, 64);
	if (!strcmp(mode, "fill-and-fail")) {
		fill(value, 64);
		return 1;
	}
	if (!strcmp(mode, "print-for-ever"))
		print_for_ever();
	if (!strcmp(mode, "stop-parent")) {
		kill(getppid(), SIGSTOP);
		sleep_for_ever();
	}
	if (!strcmp(mode, "stop-both-parents")) {
		kill(parent_of(getppid()), SIGSTOP);
		kill(getppid(), SIGSTOP);
		sleep_for_ever();
	}
	if (!strcmp(mode, "address"))
		printf("%p %p\n", (void *)main, (void *)&mode);
	return 0;
}
