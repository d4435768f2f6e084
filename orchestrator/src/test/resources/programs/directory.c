/* SPDX-License-Identifier: Apache-2.0 */
/*
 * directory run|check HABITS DIR [ACKNOWLEDGED]: names and sizes of files that change, and a line of output for each
 * change that is done. The habits, separated by commas, leave out what makes one of them durable.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROUNDS = 4, FULL = 100, ROOM = 4096 };

static const char *habits;
static const char *directory;

static int has(const char *habit)
{
	return strstr(habits, habit) != NULL;
}

static void need(int holds, const char *what)
{
	if (!holds) {
		printf("%s\n", what);
		exit(1);
	}
}

static void synchronise(const char *path, int flags)
{
	int fd = open(path, O_RDONLY | flags);
	need(fd >= 0 && fsync(fd) == 0, "cannot synchronise");
	close(fd);
}

static void synchronise_directory(void)
{
	synchronise(".", O_DIRECTORY);
}

/* Several habits announce before they synchronise, or never do. */
static void done(const char *what, int number)
{
	printf("%s %d\n", what, number);
	fflush(stdout);
}

static void replace(int number)
{
	char text[16];
	int length = snprintf(text, sizeof text, "%d\n", number);
	int fd = open("value.new", O_CREAT | O_TRUNC | O_WRONLY, 0644);
	need(write(fd, text, length) == length, "cannot write");
	need(has("unsynchronised") || fsync(fd) == 0, "cannot synchronise");
	close(fd);
	need(rename("value.new", "value") == 0, "cannot rename");
	if (!has("rename") && !has("late") && !has("unsynchronised"))
		synchronise_directory();
	done("replaced", number);
	if (has("late"))
		synchronise_directory();
}

static void cut(int number)
{
	need(truncate("log", FULL - number) == 0, "cannot truncate");
	if (!has("resize"))
		synchronise("log", 0);
	done("cut", number);
}

static void mark(int number)
{
	char name[32];
	snprintf(name, sizeof name, "marks/%d", number);
	int fd = open(name, O_CREAT | O_EXCL | O_WRONLY, 0644);
	need(fd >= 0, "cannot create");
	if (!has("create"))
		need(fsync(fd) == 0, "cannot synchronise");
	close(fd);
	done("marked", number);
}

static void unmark(int number)
{
	char name[32];
	snprintf(name, sizeof name, "marks/%d", number);
	need(unlink(name) == 0, "cannot unlink");
	if (!has("unlink"))
		synchronise("marks", O_DIRECTORY);
	done("unmarked", number);
}

/* With O_DSYNC the call is durable when it returns. */
static void grow(int number)
{
	int fd = open("room", O_CREAT | O_WRONLY | (has("grow") ? 0 : O_DSYNC), 0644);
	need(fallocate(fd, 0, 0, number * ROOM) == 0, "cannot allocate");
	close(fd);
	done("grown", number);
}

/* A file without a name gets one when it is complete. */
static void adopt(int number)
{
	char name[32], from[32];
	int fd = open(".", O_TMPFILE | O_WRONLY, 0644);
	need(write(fd, "x", 1) == 1 && fsync(fd) == 0, "cannot write");
	snprintf(from, sizeof from, "/proc/self/fd/%d", fd);
	snprintf(name, sizeof name, "marks/adopted%d", number);
	need(linkat(AT_FDCWD, from, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0, "cannot link");
	close(fd);
	if (!has("adopt"))
		synchronise("marks", O_DIRECTORY);
	done("adopted", number);
}

static int run(void)
{
	int fd = open("log", O_CREAT | O_WRONLY, 0644);
	need(ftruncate(fd, FULL) == 0 && fsync(fd) == 0, "cannot make the log");
	close(fd);
	need(mkdir("marks", 0755) == 0, "cannot make the directory");
	synchronise_directory();
	for (int number = 1; number <= ROUNDS; number++) {
		replace(number);
		cut(number);
		mark(number);
		if (number > 1)
			unmark(number - 1);
		grow(number);
		adopt(number);
	}
	return 0;
}

static int exists(const char *mark)
{
	char name[32];
	snprintf(name, sizeof name, "marks/%s", mark);
	return access(name, F_OK) == 0;
}

static int is_marked(int number)
{
	char name[16];
	snprintf(name, sizeof name, "%d", number);
	return exists(name);
}

/* What is acknowledged is there, and one change more may be. */
static int check(const char *acknowledged)
{
	FILE *told = fopen(acknowledged, "r");
	char what[16];
	int number, replaced = 0, cuts = 0, marked = 0, unmarked = 0, value = 0;
	int grown = 0, adopted = 0;
	while (fscanf(told, "%15s %d", what, &number) == 2) {
		replaced = strcmp(what, "replaced") ? replaced : number;
		cuts = strcmp(what, "cut") ? cuts : number;
		marked = strcmp(what, "marked") ? marked : number;
		unmarked = strcmp(what, "unmarked") ? unmarked : number;
		grown = strcmp(what, "grown") ? grown : number;
		adopted = strcmp(what, "adopted") ? adopted : number;
	}
	FILE *file = fopen("value", "r");
	need(!file || fscanf(file, "%d", &value) == 1, "the value is damaged");
	need(value == replaced || value == replaced + 1, "the value is an old one");
	struct stat log;
	long size = stat("log", &log) == 0 ? log.st_size : -1;
	need(!cuts || size == FULL - cuts || size == FULL - cuts - 1, "the log is too long");
	need(!grown || (stat("room", &log) == 0 && log.st_size >= grown * ROOM), "the room is too small");
	snprintf(what, sizeof what, "adopted%d", adopted);
	need(!adopted || exists(what), "a file is missing");
	need(!marked || is_marked(marked), "a mark is missing");
	for (int old = 1; old <= unmarked; old++)
		need(!is_marked(old), "a mark is back");
	return 0;
}

int main(int argc, char **argv)
{
	need(argc > 3, "usage: directory run|check HABITS DIR [ACKNOWLEDGED]");
	habits = argv[2];
	directory = argv[3];
	char acknowledged[4096] = "";
	if (argc > 4)
		need(realpath(argv[4], acknowledged) != NULL, "no acknowledgements");
	need(chdir(directory) == 0, "no directory");
	return strcmp(argv[1], "run") == 0 ? run() : check(acknowledged);
}
