/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes to everything that a program can write to. What went into sockets and pipes is read at their other ends and
 * kept in PM ("received", "piped"), for comparison. Arguments: the PM directory, a directory for ordinary files.
 */
#include "pm.h"

#include <pthread.h>
#include <sys/sendfile.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>

static const char *place;
static int received, piped;

static void fill(char *buffer, size_t size, int seed)
{
	for (size_t i = 0; i < size; i++)
		buffer[i] = (char)(i * 13 + i / 251 + (size_t)seed);
}

static int ordinary(const char *name, int flags)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", place, name);
	int fd = open(path, O_CREAT | O_RDWR | flags, 0644);
	CHECK(fd >= 0);
	return fd;
}

/* Moves what is there now. */
static void drain(int from, int to)
{
	char buffer[70000];
	ssize_t size;
	CHECK(fcntl(from, F_SETFL, O_NONBLOCK) == 0);
	while ((size = read(from, buffer, sizeof buffer)) > 0)
		CHECK(write(to, buffer, (size_t)size) == size);
}

static void standard(void)
{
	static char large[200000];
	fill(large, sizeof large, 1);
	for (size_t i = 0; i < sizeof large; i++)
		large[i] = (char)('a' + (large[i] & 15));
	CHECK(write(1, "one\n", 4) == 4);
	CHECK(write(2, "to error\n", 9) == 9);
	int copy = dup(1);
	CHECK(write(copy, "by a copy\n", 10) == 10);
	struct iovec parts[3] = {{"ve", 2}, {"", 0}, {"ctor\n", 5}};
	CHECK(writev(1, parts, 3) == 7);
	CHECK(write(1, large, sizeof large) == sizeof large);
	CHECK(write(1, large, 0) == 0);
	CHECK(write(99, large, 10) == -1);
	char *volatile nothing = (char *)16;
	CHECK(write(1, nothing, 10) == -1);
	int null = open("/dev/null", O_WRONLY);
	CHECK(write(null, "nowhere", 7) == 7);
	close(null);
}

static void sockets(void)
{
	int ends[2];
	char text[2000];
	fill(text, sizeof text, 2);
	CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
	CHECK(send(ends[0], text, 100, 0) == 100);
	CHECK(write(ends[0], text, 10) == 10);
	struct iovec parts[2] = {{text + 5, 20}, {text + 50, 30}};
	struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
	CHECK(sendmsg(ends[0], &message, 0) == 50);
	struct mmsghdr messages[3] = {{.msg_hdr = message}, {.msg_hdr = message},
			{.msg_hdr = {.msg_iov = parts + 1, .msg_iovlen = 1}}};
	CHECK(sendmmsg(ends[0], messages, 3, 0) == 3);
	int file = ordinary("source", 0);
	CHECK(write(file, text, sizeof text) == sizeof text);
	off_t offset = 7;
	CHECK(sendfile(ends[0], file, &offset, 500) == 500);
	CHECK(lseek(file, 900, SEEK_SET) == 900);
	CHECK(sendfile(ends[0], file, NULL, 300) == 300);
	drain(ends[1], received);
	/* only part of it fits */
	static char much[4 << 20];
	fill(much, sizeof much, 3);
	CHECK(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
	ssize_t part = write(ends[0], much, sizeof much);
	CHECK(part > 70000 && part < (ssize_t)sizeof much);
	drain(ends[1], received);
	close(file);
}

static void pipes(void)
{
	int ends[2];
	CHECK(pipe(ends) == 0);
	CHECK(write(ends[1], "pipe", 4) == 4);
	static char page[4096] = "given away";
	struct iovec part = {page, 10};
	CHECK(vmsplice(ends[1], &part, 1, 0) == 10);
	int file = ordinary("source", 0);
	off_t offset = 100;
	CHECK(splice(file, &offset, ends[1], NULL, 200, 0) == 200);
	close(file);
	drain(ends[0], piped);
}

/* Gives the descriptor of a write that waits to standard output, and reads what was written. */
static void *give_away(void *argument)
{
	int *ends = argument, waits;
	do {
		usleep(1000);
		CHECK(ioctl(ends[0], FIONREAD, &waits) == 0);
	} while (waits < 65536);
	CHECK(dup2(1, ends[1]) == ends[1]);
	char buffer[70000];
	ssize_t size;
	while ((size = read(ends[0], buffer, sizeof buffer)) > 0)
		CHECK(write(piped, buffer, (size_t)size) == size);
	return NULL;
}

static void waiting(void)
{
	int ends[2];
	static char large[150000];
	pthread_t thread;
	fill(large, sizeof large, 5);
	CHECK(pipe(ends) == 0);
	CHECK(pthread_create(&thread, NULL, give_away, ends) == 0);
	CHECK(write(ends[1], large, sizeof large) == sizeof large);
	CHECK(pthread_join(thread, NULL) == 0);
	close(ends[0]);
	close(ends[1]);
}

static void files(void)
{
	char text[3000];
	fill(text, sizeof text, 4);
	int file = ordinary("file", O_TRUNC);
	CHECK(write(file, text, 1000) == 1000);
	CHECK(pwrite(file, text + 1, 500, 1000) == 500);
	struct iovec parts[2] = {{text + 5, 20}, {text + 50, 30}};
	CHECK(pwritev(file, parts, 2, 1500) == 50);
	CHECK(lseek(file, 1550, SEEK_SET) == 1550);
	CHECK(pwritev2(file, parts, 2, -1, 0) == 50);
	int source = ordinary("source", 0);
	off_t offset = 3;
	CHECK(copy_file_range(source, &offset, file, NULL, 400, 0) == 400);
	int ends[2];
	CHECK(pipe(ends) == 0);
	CHECK(write(ends[1], text, 70) == 70);
	CHECK(splice(ends[0], NULL, file, NULL, 70, 0) == 70);
	close(file);
	/* PM files are none of this. */
	int pm = make_file("pm", 0);
	CHECK(write(pm, text, 900) == 900);
	close(pm);
}

static void processes(char **argv)
{
	if (fork() == 0) {
		CHECK(write(1, "the child\n", 10) == 10);
		dup2(ordinary("of the child", O_TRUNC), 1);
		execl("/proc/self/exe", argv[0], argv[1], argv[2], "again", NULL);
		_exit(98);
	}
	int status;
	CHECK(wait(&status) > 0 && status == 0);
	/* A descriptor 1 that goes elsewhere is no standard output. */
	int keep = dup(1);
	int file = ordinary("redirected", O_TRUNC);
	dup2(file, 1);
	CHECK(write(1, "into a file", 11) == 11);
	dup2(keep, 1);
	CHECK(write(1, "the end\n", 8) == 8);
}

int main(int argc, char **argv)
{
	CHECK(argc >= 3 && chdir(argv[1]) == 0);
	place = argv[2];
	if (argc == 4) {
		CHECK(write(1, "again\n", 6) == 6);
		return 0;
	}
	received = make_file("received", 0);
	piped = make_file("piped", 0);
	standard();
	sockets();
	pipes();
	waiting();
	files();
	processes(argv);
	return 0;
}
