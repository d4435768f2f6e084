/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locks of files, and pipes. What has to be recorded is printed. */
#include "pm.h"

#include <sys/file.h>

static void told(const char *what)
{
	printf("%s\n", what);
	fflush(stdout);
}

static int record_lock(int file, short type, off_t from, off_t length)
{
	struct flock range = {.l_type = type, .l_whence = SEEK_SET, .l_start = from, .l_len = length};
	return fcntl(file, F_SETLK, &range);
}

static void of_descriptor(int file)
{
	CHECK(flock(file, LOCK_EX) == 0);
	told("+ file exclusive");
	CHECK(flock(file, LOCK_EX) == 0); /* has it already */
	CHECK(flock(file, LOCK_SH) == 0);
	told("- file\n+ file shared");
	CHECK(flock(file, LOCK_UN) == 0);
	told("- file");
	CHECK(flock(file, LOCK_UN) == 0);
}

static void of_parts(int file)
{
	CHECK(record_lock(file, F_WRLCK, 0, 10) == 0);
	CHECK(record_lock(file, F_RDLCK, 100, 10) == 0);
	told("+ file exclusive\n+ file shared");
	CHECK(record_lock(file, F_UNLCK, 0, 10) == 0);
	CHECK(record_lock(file, F_WRLCK, 50, 1) == 0);
	told("- file\n+ file exclusive");
	CHECK(record_lock(file, F_UNLCK, 0, 0) == 0);
	told("- file\n- file");
	CHECK(record_lock(file, F_WRLCK, 0, 0) == 0);
	int other = open("lock", O_RDWR);
	CHECK(other >= 0 && close(other) == 0);
	told("+ file exclusive\n- file");
}

/* These belong to the open file: that another one is closed, or unlocks, does not matter. */
static void of_open_files(int file)
{
	int other = open("lock", O_RDWR);
	struct flock range = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_len = 10};
	CHECK(other >= 0 && fcntl(file, F_OFD_SETLK, &range) == 0 && fcntl(other, F_OFD_SETLK, &range) == 0);
	told("+ file shared\n+ file shared");
	CHECK(close(other) == 0);
	told("- file");
	range.l_type = F_UNLCK;
	CHECK(fcntl(file, F_OFD_SETLK, &range) == 0);
	told("- file");
}

static void of_others(int file)
{
	CHECK(flock(file, LOCK_EX) == 0 && record_lock(file, F_WRLCK, 0, 0) == 0);
	told("+ file exclusive\n+ file exclusive");
	pid_t child = fork();
	if (child == 0) {
		int own = open("lock", O_RDWR);
		CHECK(own >= 0 && flock(own, LOCK_EX | LOCK_NB) != 0 && record_lock(own, F_RDLCK, 0, 0) != 0);
		int another = open("another", O_RDWR | O_CREAT, 0600);
		CHECK(another >= 0 && flock(another, LOCK_EX) == 0);
		told("+ file exclusive\n- file"); /* as it ends */
		_exit(0);
	}
	CHECK(child > 0 && waitpid(child, NULL, 0) == child);
	CHECK(close(file) == 0);
	told("- file\n- file");
}

int main(int argc, char **argv)
{
	CHECK(argc >= 2 && chdir(argv[1]) == 0);
	int ends[2];
	char byte = 0;
	map_file("pool", 8192);
	int file = open("lock", O_RDWR | O_CREAT, 0600);
	CHECK(file >= 0);
	of_descriptor(file);
	of_parts(file);
	of_open_files(file);
	of_others(file);
	CHECK(pipe(ends) == 0 && write(ends[1], &byte, 1) == 1 && read(ends[0], &byte, 1) == 1);
	told("- pipe\n+ pipe exclusive");
	return 0;
}
