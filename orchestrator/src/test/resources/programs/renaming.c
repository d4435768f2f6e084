/* SPDX-License-Identifier: Apache-2.0 */
/*
 * renaming create|run|check HABIT DIR: files that are replaced by rename. All but one habit change names or sizes in a
 * wrong order, at which nothing is stored.
 */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COPIES = 4, LINE = 16 };

static const char *habit;
static _Atomic long lines_written;

static int is(const char *name)
{
	return strcmp(habit, name) == 0;
}

static void need(int holds, const char *what)
{
	if (!holds) {
		fprintf(stderr, "%s\n", what);
		exit(1);
	}
}

static void write_lines(const char *path, long value, long copies, int synchronise)
{
	char line[LINE + 1];
	int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
	snprintf(line, sizeof line, "value %09ld\n", value);
	for (long i = 0; i < copies; i++) {
		need(write(fd, line, LINE) == LINE, "cannot write");
		atomic_fetch_add(&lines_written, 1); /* a fence */
	}
	need(!synchronise || fsync(fd) == 0, "cannot synchronise");
	close(fd);
}

/* A file whose name is all that refers to it. */
static void replace(long value)
{
	write_lines("data.new", value, COPIES, !is("late-fsync"));
	if (is("unlink-first"))
		unlink("data");
	need(rename("data.new", "data") == 0, "cannot rename");
	if (is("late-fsync")) {
		int fd = open("data", O_RDONLY);
		need(fsync(fd) == 0, "cannot synchronise");
		close(fd);
	}
}

/* A table that the index names. */
static void rotate(long value)
{
	char table[LINE];
	char old[LINE];
	snprintf(table, sizeof table, "table.%ld", value);
	snprintf(old, sizeof old, "table.%ld", value - 1);
	write_lines(table, value, COPIES, 1);
	if (is("unlink-early"))
		unlink(old);
	write_lines("index.new", value, 1, 1);
	need(rename("index.new", "index") == 0, "cannot rename");
	if (!is("unlink-early"))
		unlink(old);
}

/* Two files of one generation. */
static void replace_pair(long value)
{
	write_lines("left.new", value, 1, 1);
	write_lines("right.new", value, 1, 1);
	if (is("two-renames")) {
		rename("left.new", "left");
		rename("right.new", "right");
	}
}

/* A file that is written anew in its place. */
static void write_mode(long value)
{
	char line[LINE + 1];
	int fd = open("mode", O_TRUNC | O_WRONLY);
	snprintf(line, sizeof line, "value %09ld\n", value);
	need(write(fd, line, LINE) == LINE && fsync(fd) == 0, "cannot write");
	close(fd);
}

/* Cuts off the log, which says in its first line how long it is. */
static void cut_log(void)
{
	int fd = open("log", O_RDWR);
	if (is("cut-early"))
		need(ftruncate(fd, LINE) == 0, "cannot truncate");
	need(lseek(fd, 0, SEEK_SET) == 0 && write(fd, "value 000000001\n", LINE) == LINE && fsync(fd) == 0, "cannot write");
	if (!is("cut-early"))
		need(ftruncate(fd, LINE) == 0, "cannot truncate");
	close(fd);
}

static long value_of(const char *path, long copies)
{
	char text[COPIES * LINE + 1];
	int fd = open(path, O_RDONLY);
	need(fd >= 0, path);
	ssize_t length = read(fd, text, sizeof text);
	need(length >= copies * LINE, "a file is too short");
	text[copies * LINE] = 0;
	for (long i = 1; i < copies; i++)
		need(memcmp(text, text + i * LINE, LINE) == 0, "a file has several values");
	long value = -1;
	need(sscanf(text, "value %ld", &value) == 1, "a file has no value");
	close(fd);
	return value;
}

static void create(void)
{
	write_lines("data", 0, COPIES, 1);
	write_lines("table.0", 0, COPIES, 1);
	write_lines("index", 0, 1, 1);
	write_lines("left", 0, 1, 1);
	write_lines("right", 0, 1, 1);
	write_lines("log", 2, 2, 1);
	write_lines("mode", 0, 1, 1);
}

static void check(void)
{
	char table[LINE];
	struct stat log;
	value_of("data", COPIES);
	value_of("mode", 1);
	long value = value_of("index", 1);
	snprintf(table, sizeof table, "table.%ld", value);
	need(value_of(table, COPIES) == value, "the table is of another generation");
	need(value_of("left", 1) == value_of("right", 1), "the pair is of two generations");
	need(stat("log", &log) == 0 && log.st_size >= value_of("log", 1) * LINE, "the log is too short");
}

int main(int argc, char **argv)
{
	need(argc == 4 && chdir(argv[3]) == 0, "usage: renaming create|run|check HABIT DIR");
	habit = argv[2];
	if (strcmp(argv[1], "create") == 0) {
		create();
	} else if (strcmp(argv[1], "check") == 0) {
		check();
	} else {
		for (long value = 1; value <= 2; value++) {
			replace(value);
			rotate(value);
			replace_pair(value);
			if (is("in-place"))
				write_mode(value);
		}
		cut_log();
	}
	return 0;
}
