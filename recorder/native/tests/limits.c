/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets limits, of open files as servers do, and prints what came of it: the same as without the recorder. */
#include "pm.h"

#include <sys/resource.h>
#include <sys/syscall.h>

static void show(const char *what)
{
	struct rlimit limit;
	CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
	say("%s: %llu of %llu", what, (unsigned long long)limit.rlim_cur, (unsigned long long)limit.rlim_max);
}

static void try(const char *what, rlim_t soft, rlim_t hard)
{
	struct rlimit limit = {soft, hard};
	int result = setrlimit(RLIMIT_NOFILE, &limit);
	say("%s: %s", what, result == 0 ? "success" : strerror(errno));
	show("now");
}

/* How many can be opened. */
static int open_all(int *last)
{
	int count = 0;
	*last = -1;
	for (int fd; (fd = dup(1)) >= 0; count++)
		*last = fd;
	say("then: %s", strerror(errno));
	for (int fd = *last; fd > 2 && count > 0; fd--)
		close(fd);
	return count;
}

int main(int argc, char **argv)
{
	struct rlimit first, old, most;
	int last;
	if (argc == 3) {
		show("a child of exec");
		open_all(&last);
		say("up to %d", last);
		say_all();
		return 0;
	}
	CHECK(argc == 2);
	CHECK(getrlimit(RLIMIT_NOFILE, &first) == 0);
	show("at first");
	say("open at most %ld", sysconf(_SC_OPEN_MAX));
	try("all that is allowed", first.rlim_max, first.rlim_max);
	try("soft above hard", 200, 100);
	try("raised", 60, first.rlim_max);
	open_all(&last);
	say("up to %d", last);
	most = (struct rlimit){50, 70};
	CHECK(prlimit(0, RLIMIT_NOFILE, &most, &old) == 0);
	say("before: %llu of %llu", (unsigned long long)old.rlim_cur, (unsigned long long)old.rlim_max);
	CHECK(prlimit(getpid(), RLIMIT_NOFILE, NULL, &old) == 0);
	say("after: %llu of %llu", (unsigned long long)old.rlim_cur, (unsigned long long)old.rlim_max);
	CHECK(syscall(97, RLIMIT_NOFILE, &old) == 0);
	say("by getrlimit: %llu of %llu", (unsigned long long)old.rlim_cur, (unsigned long long)old.rlim_max);
	say("no memory: %s", syscall(160, RLIMIT_NOFILE, (void *)8) == 0 ? "success" : strerror(errno));
	try("by the old call", 40, 60);
	/* The kernel's answer, which must be recorded as a store to PM. */
	CHECK(chdir(argv[1]) == 0);
	struct rlimit *pm = (struct rlimit *)map_file("limits", 4096);
	CHECK(getrlimit(RLIMIT_NOFILE, pm) == 0 && prlimit(0, RLIMIT_NOFILE, NULL, pm + 8) == 0);
	/* Of the stack Valgrind keeps a limit of its own. */
	CHECK(getrlimit(RLIMIT_STACK, &old) == 0);
	most = (struct rlimit){old.rlim_cur > 1 << 20 ? 1 << 20 : 1 << 19, old.rlim_max};
	CHECK(setrlimit(RLIMIT_STACK, &most) == 0);
	CHECK(syscall(SYS_getrlimit, RLIMIT_STACK, pm + 16) == 0 && syscall(SYS_getrlimit, RLIMIT_DATA, pm + 18) == 0);
	say("stack: %llu", (unsigned long long)pm[16].rlim_cur);
	CHECK(setrlimit(RLIMIT_STACK, &old) == 0);
	pid_t child = fork();
	if (child == 0) {
		show("a child");
		say_all();
		execl("/proc/self/exe", argv[0], argv[1], "child", NULL);
		_exit(99);
	}
	say_all();
	int status;
	CHECK(waitpid(child, &status, 0) == child && status == 0);
	return 0;
}
