/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Very many files, one after the other, by two processes. Their inode numbers come back. */
#include "pm.h"

enum { FILES = 6000, KEPT = 5 };

static void make(const char *kind, int number)
{
	char name[32];
	snprintf(name, sizeof name, "%s-%d", kind, number);
	int fd = open(name, O_CREAT | O_EXCL | O_RDWR, 0600);
	CHECK(fd >= 0 && write(fd, name, strlen(name)) == (ssize_t)strlen(name));
	if (number >= KEPT) {
		snprintf(name, sizeof name, "%s-%d", kind, number - KEPT);
		CHECK(unlink(name) == 0 && write(fd, "+", 1) == 1);
	}
	close(fd);
}

int main(int argc, char **argv)
{
	CHECK(argc == 2 && chdir(argv[1]) == 0);
	for (int number = 0; number < FILES / 2; number++)
		make("mine", number);
	pid_t child = fork();
	for (int number = 0; number < FILES / 2; number++)
		make(child == 0 ? "child" : "parent", number);
	if (child == 0)
		_exit(0);
	int status;
	CHECK(waitpid(child, &status, 0) == child && status == 0);
	return 0;
}
