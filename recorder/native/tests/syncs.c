/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls that persist, and fail; that end later; that were asked for in advance. It prints for each what it
 * returned.
 */
#include "pm.h"

#include <linux/aio_abi.h>
#include <sys/syscall.h>
#include <sys/uio.h>

enum { MSYNC_SYNC = 1, MSYNC_ASYNC, FSYNC, FDATASYNC, FILE_RANGE, ALL, DIRECTORY };

static void said(int kind, const char *function, int result)
{
	say("sync %d %s %d", kind, function, result == 0 ? 0 : errno);
}

static void calls(void)
{
	int fd = make_file("file", 16384);
	char *pm = map_fd(fd, 16384, 0);
	pm[0] = 1;
	said(MSYNC_SYNC, "msync", msync(pm, 4096, MS_SYNC));
	pm[0] = 2;
	said(MSYNC_SYNC, "msync", msync(pm + 64, 64, MS_SYNC)); /* no multiple of a page */
	said(MSYNC_SYNC, "msync", msync(pm, 4096, MS_SYNC | MS_ASYNC));
	said(MSYNC_ASYNC, "msync", msync(pm, 4096, MS_ASYNC));
	CHECK(msync(pm, 0, MS_SYNC) == 0); /* does nothing: not in the trace */
	CHECK(munmap(pm + 4096, 4096) == 0);
	int result = msync(pm, 16384, MS_SYNC); /* two mappings and a hole */
	said(MSYNC_SYNC, "msync", result);
	said(MSYNC_SYNC, "msync", result);
	said(FSYNC, "fsync", fsync(fd));
	said(FDATASYNC, "fdatasync", fdatasync(fd));
	said(FILE_RANGE, "sync_file_range", sync_file_range(fd, 0, 4096, SYNC_FILE_RANGE_WRITE));
	said(FILE_RANGE, "sync_file_range", sync_file_range(fd, 0, 4096, 0x100));
	said(FILE_RANGE, "sync_file_range", sync_file_range(fd, 4096, -1, SYNC_FILE_RANGE_WRITE));
	CHECK(sync_file_range(fd, -1, 4096, SYNC_FILE_RANGE_WRITE) == -1); /* where no store can be: not in the trace */
	CHECK(fsync(-1) == -1);
	int directory = open(".", O_RDONLY | O_DIRECTORY);
	said(DIRECTORY, "fsync", fsync(directory));
	said(DIRECTORY, "fdatasync", fdatasync(directory));
	said(ALL, "syncfs", syncfs(fd));
	int elsewhere = open("/proc/self/status", O_RDONLY); /* of another file system */
	CHECK(elsewhere >= 0);
	(void)!syncfs(elsewhere);
	int path = open("file", O_PATH);
	said(FSYNC, "fsync", fsync(path)); /* no descriptor to work with */
	CHECK(errno == EBADF);
}

static void writes(void)
{
	int plain = make_file("plain", 100);
	CHECK(pwrite(plain, "a", 1, 0) == 1);
	say("write cached");
	struct iovec part = {(void *)"b", 1};
	CHECK(pwritev2(plain, &part, 1, 1, RWF_DSYNC) == 1);
	say("write durable");
	CHECK(pwritev2(plain, &part, 1, 2, RWF_SYNC) == 1);
	say("write durable");
	CHECK(pwritev2(plain, &part, 1, 3, 0) == 1);
	say("write cached");
	int all = open("plain", O_WRONLY | O_SYNC);
	CHECK(pwrite(all, "c", 1, 4) == 1);
	say("write durable");
}

static struct io_event wait_for(aio_context_t context)
{
	struct io_event event;
	CHECK(syscall(SYS_io_getevents, context, 1, 1, &event, NULL) == 1);
	return event;
}

static void handed_in(void)
{
	int fd = make_file("handed", 100);
	int durable = open("handed", O_WRONLY | O_DSYNC);
	aio_context_t context = 0;
	struct iocb sync = {.aio_lio_opcode = IOCB_CMD_FDSYNC, .aio_fildes = (uint32_t)fd};
	struct iocb lost = sync;
	struct iocb bad = {.aio_lio_opcode = IOCB_CMD_FDSYNC, .aio_fildes = (uint32_t)fd, .aio_nbytes = 1};
	struct iocb write = {.aio_lio_opcode = IOCB_CMD_PWRITE,
			.aio_fildes = (uint32_t)durable,
			.aio_buf = (uintptr_t) "d",
			.aio_nbytes = 1};
	struct iocb *requests[] = {&sync, &bad};
	struct iocb *later[] = {&lost};
	struct iocb *writes[] = {&write};
	if (syscall(SYS_io_setup, 8, &context) != 0)
		return; /* a kernel without it */
	if (syscall(SYS_io_submit, context, 1, requests) != 1)
		return; /* not on every file system */
	wait_for(context);
	say("sync %d syscall 0", FDATASYNC);
	CHECK(syscall(SYS_io_submit, context, 1, writes) == 1);
	say("write cached");
	say("sync %d syscall 0", FDATASYNC); /* of what was written, when its event is there */
	wait_for(context);
	CHECK(syscall(SYS_io_submit, context, 1, requests + 1) == -1);
	say("sync %d syscall never", FDATASYNC);
	CHECK(syscall(SYS_io_submit, context, 1, later) == 1);
	say("sync %d syscall never", FDATASYNC);
}

int main(int argc, char **argv)
{
	CHECK(argc == 2 && chdir(argv[1]) == 0);
	calls();
	writes();
	handed_in();
	say_all();
	return 0;
}
