// SPDX-License-Identifier: Apache-2.0
// A log whose writes are durable when they return. It calls no fsync.
//
//   durable-writes create|run PM HABITS
//   durable-writes check PM ACKNOWLEDGED
//
// HABITS, separated by commas: correct, count-first, announced-early, and appended (the log grows), flagged (by RWF_DSYNC)
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { RECORDS = 6, SIZE = 5000 };

static const char *habits;
static int records, header;

static int has(const char *habit)
{
	return strstr(habits, habit) != NULL;
}

static void must(int holds, const char *what)
{
	if (!holds) {
		perror(what);
		exit(3);
	}
}

static int open_in(const char *directory, const char *name, int flags)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", directory, name);
	int fd = open(path, flags, 0644);
	must(fd >= 0, path);
	return fd;
}

static void write_durably(int fd, const void *data, size_t size, off_t at)
{
	struct iovec vector = {(void *)data, size};
	ssize_t written = has("flagged") ? pwritev2(fd, &vector, 1, at, RWF_DSYNC) : pwrite(fd, data, size, at);
	must(written == (ssize_t)size, "write");
}

static void write_record(uint64_t number)
{
	static uint64_t record[SIZE / 8];
	for (size_t i = 0; i < SIZE / 8; i++)
		record[i] = number;
	write_durably(records, record, sizeof record, (off_t)(SIZE * (number - 1)));
}

static void write_count(uint64_t number)
{
	write_durably(header, &number, sizeof number, 0);
}

static void announce(uint64_t number)
{
	char line[32];
	int size = snprintf(line, sizeof line, "%lu\n", number);
	must(write(STDOUT_FILENO, line, (size_t)size) == size, "stdout");
}

static void run(const char *directory)
{
	int flags = O_RDWR | (has("flagged") ? 0 : O_DSYNC);
	records = open_in(directory, "records", flags);
	header = open_in(directory, "header", flags);
	for (uint64_t number = 1; number <= RECORDS; number++) {
		if (has("announced-early"))
			announce(number);
		if (has("count-first"))
			write_count(number);
		write_record(number);
		if (!has("count-first"))
			write_count(number);
		if (!has("announced-early"))
			announce(number);
	}
}

static int check(const char *directory, const char *acknowledged)
{
	uint64_t count = 0, announced = 0, line, record[SIZE / 8];
	FILE *said = fopen(acknowledged, "r");
	while (said != NULL && fscanf(said, "%lu", &line) == 1)
		announced = line;
	must(pread(open_in(directory, "header", O_RDONLY), &count, sizeof count, 0) >= 0, "header");
	if (count < announced) {
		puts("a record was announced and is not counted");
		return 1;
	}
	int fd = open_in(directory, "records", O_RDONLY);
	for (uint64_t number = 1; number <= count; number++) {
		ssize_t got = pread(fd, record, sizeof record, (off_t)(SIZE * (number - 1)));
		for (size_t i = 0; i < SIZE / 8; i++) {
			if (got != (ssize_t)sizeof record || record[i] != number) {
				puts("a record is counted and is not there");
				return 1;
			}
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	must(argc == 4, "arguments");
	habits = argv[3];
	if (strcmp(argv[1], "check") == 0)
		return check(argv[2], argv[3]);
	if (strcmp(argv[1], "run") == 0) {
		run(argv[2]);
		return 0;
	}
	int fd = open_in(argv[2], "records", O_RDWR | O_CREAT);
	must(has("appended") || posix_fallocate(fd, 0, SIZE * RECORDS) == 0, "fallocate");
	must(fsync(fd) == 0, "fsync");
	fd = open_in(argv[2], "header", O_RDWR | O_CREAT);
	must(write(fd, &(uint64_t){0}, 8) == 8 && fsync(fd) == 0, "header");
	return 0;
}
