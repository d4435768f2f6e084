/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls that write to PM: the kernel into mapped memory, and files by their descriptors. */
#include "pm.h"

#include <linux/aio_abi.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>

static void fill(char *buffer, size_t size, int seed)
{
	for (size_t i = 0; i < size; i++)
		buffer[i] = (char)(i * 7 + (size_t)seed);
}

static void kernel_writes_into_mappings(void)
{
	char text[5000];
	fill(text, sizeof text, 1);
	int source = make_file("source", 0);
	CHECK(write(source, text, sizeof text) == sizeof text);
	char *pm = map_file("mapped", 65536);
	CHECK(lseek(source, 0, SEEK_SET) == 0);
	CHECK(read(source, pm + 100, 3000) == 3000);
	CHECK(read(source, pm + 4000, 3000) == 2000);
	CHECK(read(source, pm + 9000, 3000) == 0);
	CHECK(pread(source, pm + 8000, 77, 55) == 77);
	struct iovec parts[2] = {{pm + 9000, 10}, {pm + 9100, 600}};
	CHECK(lseek(source, 0, SEEK_SET) == 0);
	CHECK(readv(source, parts, 2) == 610);
	parts[0].iov_base = pm + 10000;
	parts[1].iov_base = pm + 10020;
	CHECK(preadv(source, parts, 2, 17) == 610);
	int sockets[2];
	CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
	CHECK(send(sockets[0], text, 500, 0) == 500);
	CHECK(recv(sockets[1], pm + 12001, 200, 0) == 200);
	struct iovec part = {pm + 12400, 300};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
	CHECK(recvmsg(sockets[1], &message, 0) == 300);
	int pipes[2];
	CHECK(pipe(pipes) == 0);
	CHECK(write(pipes[1], text, 40) == 40);
	CHECK(read(pipes[0], pm + 13000, 100) == 40);
	CHECK(fstat(source, (struct stat *)(pm + 14000)) == 0);
	CHECK(clock_gettime(CLOCK_REALTIME, (struct timespec *)(pm + 14512)) == 0);
	CHECK(getcwd(pm + 15000, 1000) != NULL);
	CHECK(pipe((int *)(pm + 16004)) == 0);
	persist(pm);
}

static void writes_to_files(void)
{
	char text[3000];
	fill(text, sizeof text, 2);
	int fd = make_file("written", 100);
	char *pm = map_fd(fd, 8192, 0);
	pm[5] = 'x';
	CHECK(write(fd, text, 50) == 50);
	CHECK(write(fd, text, 1000) == 1000);
	CHECK(pwrite(fd, text, 33, 777) == 33);
	CHECK(pwrite(fd, text, 3, 5000) == 3);
	struct iovec parts[2] = {{text + 1, 10}, {text + 20, 600}};
	CHECK(writev(fd, parts, 2) == 610);
	CHECK(pwritev(fd, parts, 2, 2000) == 610);
	CHECK(pwritev2(fd, parts, 2, 3000, 0) == 610);
	CHECK(pwritev2(fd, parts, 2, -1, 0) == 610);
	pm[6] = 'y';
	fsync(fd);
	int copy = dup(fd);
	CHECK(write(copy, "dup", 3) == 3);
	int high = fcntl(fd, F_DUPFD, 50);
	CHECK(write(high, "high", 4) == 4);
	close(fd);
	int end = open("written", O_WRONLY | O_APPEND);
	CHECK(write(end, "end", 3) == 3);
	CHECK(pwrite(end, "END", 3, 0) == 3); /* appends all the same */
	CHECK(pwrite(end, text, 3000, 0) == 3000 && pwrite(end, text, 3000, 5) == 3000); /* and over pages' ends */
	fdatasync(end);
	CHECK(write(end, text, 0) == 0);
	int durable = open("written", O_WRONLY | O_DSYNC);
	CHECK(pwrite(durable, "D", 1, 7) == 1);
	close(durable);
	CHECK(write(open("written", O_RDONLY), text, 5) == -1);
	FILE *stream = fopen("stream", "w");
	for (int i = 0; i < 3000; i++)
		fprintf(stream, "%d\n", i);
	fclose(stream);
	static char large[200000];
	fill(large, sizeof large, 3);
	int big = make_file("large", 0);
	CHECK(write(big, large, sizeof large) == sizeof large);
	CHECK(syncfs(big) == 0);
	sync();
	CHECK(sync_file_range(big, 0, 4096, SYNC_FILE_RANGE_WRITE) == 0);
}

static void sizes(void)
{
	int fd = make_file("sized", 5000);
	char *pm = map_fd(fd, 16384, 0);
	memset(pm, 1, 5000);
	pm[8000] = 2; /* past the end of the file, in its last page */
	CHECK(ftruncate(fd, 9000) == 0);
	memset(pm + 8100, 3, 800);
	CHECK(ftruncate(fd, 4500) == 0);
	CHECK(ftruncate(fd, 12000) == 0);
	CHECK(truncate("sized", 11000) == 0);
	CHECK(truncate("sized", 12288) == 0);
	memset(pm, 4, 12288);
	CHECK(fallocate(fd, 0, 8192, 8192) == 0);
	CHECK(fallocate(fd, FALLOC_FL_KEEP_SIZE, 16384, 8192) == 0);
	CHECK(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 1000, 5000) == 0);
	if (fallocate(fd, FALLOC_FL_ZERO_RANGE, 8000, 100) != 0) /* not on every file system */
		memset(pm + 8000, 0, 100);
	memset(pm + 10000, 5, 6000);
	CHECK(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 15000, 50000) == 0);
	CHECK(posix_fallocate(fd, 0, 20000) == 0);
	(void)!fallocate(fd, FALLOC_FL_COLLAPSE_RANGE, 4096, 4096);
	(void)!fallocate(fd, FALLOC_FL_INSERT_RANGE, 4096, 4096);
	CHECK(ftruncate(fd, -5) == -1);
	memset(pm + 4096, 6, 4096);
	CHECK(madvise(pm + 4096, 4096, MADV_REMOVE) == 0);
	CHECK(madvise(pm + 4096, 4096, MADV_REMOVE) == 0); /* it is a hole already */
	persist(pm);
}

/* Stored past the end of the file, and seen when it grows. */
static void tail(void)
{
	int fd = make_file("tail", 5000);
	char *pm = map_fd(fd, 8192, 0);
	pm[5100] = 9;
	pm[8000] = 9;
	CHECK(ftruncate(fd, 6000) == 0);
}

static void transfers(void)
{
	char text[9000];
	fill(text, sizeof text, 4);
	int from = make_file("from", 0);
	int to = make_file("to", 0);
	CHECK(write(from, text, sizeof text) == sizeof text);
	off_t offset = 10;
	CHECK(sendfile(to, from, &offset, 4000) == 4000);
	off_t out = 3000;
	CHECK(copy_file_range(from, &offset, to, &out, 2500, 0) == 2500);
	CHECK(copy_file_range(from, &offset, to, NULL, 500, 0) == 500);
	int pipes[2];
	CHECK(pipe(pipes) == 0);
	CHECK(write(pipes[1], text, 700) == 700);
	CHECK(splice(pipes[0], NULL, to, &out, 600, 0) == 600);
	int sockets[2];
	CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
	offset = 0;
	CHECK(sendfile(sockets[0], from, &offset, 100) == 100);
}

static void handed_in(void)
{
	char text[3000];
	fill(text, sizeof text, 5);
	int fd = make_file("handed", 100);
	char *pm = map_file("back", 8192);
	aio_context_t context = 0;
	struct iocb write = {.aio_lio_opcode = IOCB_CMD_PWRITE,
			.aio_fildes = (uint32_t)fd,
			.aio_buf = (uintptr_t)text,
			.aio_nbytes = 3000,
			.aio_offset = 50};
	struct iocb sync = {.aio_lio_opcode = IOCB_CMD_FSYNC, .aio_fildes = (uint32_t)fd};
	struct iocb read = {.aio_lio_opcode = IOCB_CMD_PREAD,
			.aio_fildes = (uint32_t)fd,
			.aio_buf = (uintptr_t)pm,
			.aio_nbytes = 700,
			.aio_offset = 10};
	struct iocb *requests[] = {&write, &read, &sync};
	struct io_event events[3];
	if (syscall(SYS_io_setup, 8, &context) != 0)
		return; /* a kernel without it */
	CHECK(syscall(SYS_io_submit, context, 2, requests) == 2);
	CHECK(syscall(SYS_io_getevents, context, 2, 2, events, NULL) == 2);
	if (syscall(SYS_io_submit, context, 1, requests + 2) == 1) /* not on every file system */
		CHECK(syscall(SYS_io_getevents, context, 1, 1, events, NULL) == 1);
	pm = map_fd(fd, 8192, 0); /* past the file's end, and seen when it grows */
	CHECK(ftruncate(fd, 5000) == 0);
	pm[5100] = 9;
	write.aio_offset = 6000;
	CHECK(syscall(SYS_io_submit, context, 1, requests) == 1);
	CHECK(syscall(SYS_io_getevents, context, 1, 1, events, NULL) == 1);
	CHECK(syscall(SYS_io_uring_setup, 8, text) == -1 && errno == ENOSYS);
	for (int i = 0; i < 2; i++) /* unknown to Valgrind */
		CHECK(syscall(SYS_openat2, AT_FDCWD, ".", text, 24) == -1 && errno == ENOSYS);
	CHECK(syscall(SYS_userfaultfd, 0) == -1 && errno == ENOSYS);
	CHECK(syscall(SYS_remap_file_pages, pm, 4096, 0, 0, 0) == -1 && errno == ENOSYS);
}

static void outputs(void)
{
	int sockets[2], pipes[2];
	CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0 && pipe(pipes) == 0);
	char *pm = map_file("ordered", 4096);
	pm[0] = 1;
	CHECK(write(1, "one\n", 4) == 4);
	pm[1] = 1;
	CHECK(write(2, "two\n", 4) == 4);
	CHECK(send(sockets[0], "three", 5, 0) == 5);
	CHECK(write(sockets[1], "four", 4) == 4);
	pm[2] = 1;
	CHECK(write(pipes[1], "pipe", 4) == 4);
	pm[3] = 1;
}

static void syncs(void)
{
	int fd = make_file("synced", 16384);
	char *pm = map_fd(fd, 12288, 4096);
	pm[0] = 1;
	CHECK(msync(pm, 4096, MS_SYNC) == 0);
	pm[4096] = 1;
	CHECK(msync(pm + 4096, 100, MS_ASYNC) == 0);
	pm[1] = 1;
	CHECK(fsync(fd) == 0);
	pm[2] = 1;
	CHECK(fdatasync(fd) == 0);
	pm[3] = 1;
	int directory = open(".", O_RDONLY | O_DIRECTORY);
	CHECK(fsync(directory) == 0);
}

int main(int argc, char **argv)
{
	CHECK(argc == 2 && chdir(argv[1]) == 0);
	kernel_writes_into_mappings();
	writes_to_files();
	sizes();
	tail();
	transfers();
	handed_in();
	outputs();
	syncs();
	return 0;
}
