/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes by descriptor, sizes, names and syncs. */
#include "random.h"

#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#define WRITE 8 /* of the trace's flags */
#define SYNCHRONOUS 4
#define MOST 700

static void expect_write(Actor *a, int flags, long offset, long size)
{
	if (size > 0)
		expect(a, WRITTEN, WRITE | flags, THE_POOL, offset, size, 0);
}

/* To the pool, which keeps its size. */
void op_write(Actor *a)
{
	char text[MOST];
	long size = below(a, MOST - 20) + 1, offset = pool_offset(a, POOL - 2 * MOST);
	struct iovec parts[2] = {{text + 20, (size_t)size}, {text, 20}};
	fill(a, text, sizeof text);
	const char *from = chance(a, 30) ? spot(a, size, 1) : text; /* out of PM */
	switch (pick(a, 6)) {
	case 0:
		CHECK(pwrite(a->pool, from, (size_t)size, offset) == size);
		expect_write(a, 0, offset, size);
		break;
	case 1:
		CHECK(pwritev(a->pool, parts, 2, offset) == size + 20);
		expect_write(a, 0, offset, size + 20);
		break;
	case 2:
		CHECK(pwritev2(a->pool, parts, 2, offset, RWF_DSYNC) == size + 20);
		expect_write(a, SYNCHRONOUS, offset, size + 20);
		break;
	case 3:
		CHECK(pwrite(a->pool_durable, from, (size_t)size, offset) == size);
		expect_write(a, SYNCHRONOUS, offset, size);
		break;
	case 4: { /* by a descriptor of this operation's own */
		int fd = open("pool", O_WRONLY | (chance(a, 50) ? O_SYNC : 0));
		int flags = (fcntl(fd, F_GETFL) & O_SYNC) != 0 ? SYNCHRONOUS : 0;
		CHECK(fd >= 0 && lseek(fd, offset, SEEK_SET) == offset);
		CHECK(write(fd, text, (size_t)size) == size);
		CHECK(writev(fd, parts, 1) == size);
		close(fd);
		expect_write(a, flags, offset, size);
		expect_write(a, flags, offset + size, size);
		break;
	}
	default: CHECK(pwrite(a->pool, from, 0, offset) == 0); break;
	}
}

/* May make it longer, at its end, far past it, or whatever offset was requested. */
void op_write_own(Actor *a)
{
	char text[MOST];
	long size = below(a, MOST) + 1, offset = below(a, OWN);
	fill(a, text, sizeof text);
	expect_anything(a);
	if (own_size(a) > 2 * OWN)
		CHECK(ftruncate(a->own, OWN / 2) == 0);
	switch (pick(a, 6)) {
	case 0: CHECK(pwrite(a->own, text, (size_t)size, offset) == size); break;
	case 1: CHECK(lseek(a->own, offset, SEEK_SET) >= 0 && write(a->own, text, (size_t)size) == size); break;
	case 2: CHECK(write(a->own, text, (size_t)size) == size); break;
	case 3:
	case 4: {
		char name[32];
		own_name(a->own_file - FIRST_OWN, name, sizeof name);
		int end = open(name, O_WRONLY | O_APPEND);
		CHECK(end >= 0 && pwrite(end, text, (size_t)size, offset) == size && write(end, text, 5) == 5);
		close(end);
		break;
	}
	default: {
		struct iovec part = {text, (size_t)size};
		CHECK(pwritev2(a->own, &part, 1, offset, RWF_APPEND) == size);
		break;
	}
	}
}

/* From file to file, by a pipe, and within one file. */
void op_transfer(Actor *a)
{
	int pair[2];
	off_t from = below(a, 3000), to = pool_offset(a, POOL - 2000);
	size_t size = (size_t)below(a, 800) + 1;
	expect_anything(a);
	switch (pick(a, 5)) {
	case 0: {
		int fd = open("pool", O_WRONLY);
		CHECK(fd >= 0 && lseek(fd, to, SEEK_SET) == to && sendfile(fd, a->source, &from, size) == (ssize_t)size);
		close(fd);
		break;
	}
	case 1: CHECK(copy_file_range(a->source, &from, a->pool, &to, size, 0) == (ssize_t)size); break;
	case 2:
		from += to < 16384 ? 20000 : 0;
		CHECK(copy_file_range(a->pool, &from, a->pool, &to, size, 0) >= -1);
		break;
	case 3:
		CHECK(pipe(pair) == 0 && splice(a->source, &from, pair[1], NULL, size, 0) > 0);
		CHECK(splice(pair[0], NULL, a->pool, &to, size, 0) > 0);
		close(pair[0]), close(pair[1]);
		break;
	default: {
		int sink = open("/dev/null", O_WRONLY);
		CHECK(sink >= 0 && sendfile(sink, a->pool, &from, size) == (ssize_t)size);
		close(sink);
		break;
	}
	}
}

void op_resize(Actor *a)
{
	char name[32];
	off_t offset = below(a, OWN), length = below(a, 9000) + 1;
	own_name(a->own_file - FIRST_OWN, name, sizeof name);
	expect_anything(a);
	switch (pick(a, 10)) {
	case 0:
	case 1: CHECK(ftruncate(a->own, offset) == 0); break;
	case 2: CHECK(truncate(name, chance(a, 50) ? offset & -PAGE : offset) == 0); break;
	case 3: CHECK(fallocate(a->own, 0, offset, length) == 0); break;
	case 4: CHECK(fallocate(a->own, FALLOC_FL_KEEP_SIZE, offset, length) == 0); break;
	case 5: CHECK(fallocate(a->own, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, length) == 0); break;
	case 6:
		CHECK(fallocate(a->pool, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, pool_offset(a, OWN), 1 + length / 20) ==
				0);
		break;
	case 7:
		(void)!fallocate(a->own, FALLOC_FL_ZERO_RANGE | (chance(a, 50) ? FALLOC_FL_KEEP_SIZE : 0), offset, length);
		break; /* not on every file system */
	case 8: {
		int fd = open(name, O_RDWR | O_TRUNC);
		CHECK(fd >= 0);
		close(fd);
		break;
	}
	default: /* what was stored past the end becomes visible */
		CHECK(ftruncate(a->own, own_size(a) + below(a, 200)) == 0);
		break;
	}
}

static void some_name(Actor *a, char *name, size_t size)
{
	static const char *const parents[] = {"", "", "", "d0/", "d1/", "../../"};
	snprintf(name, size, "%sfile-%d-%ld", parents[below(a, 6)], a->number, below(a, 4));
}

/* Whatever is there, or is not. */
void op_names(Actor *a)
{
	char name[64], other[64];
	some_name(a, name, sizeof name);
	some_name(a, other, sizeof other);
	int fd = -1;
	expect_anything(a);
	switch (pick(a, 12)) {
	case 0:
	case 1:
	case 2:
		fd = open(name, O_CREAT | O_WRONLY | (chance(a, 50) ? O_TRUNC : O_APPEND), 0644);
		if (fd >= 0)
			CHECK(write(fd, name, strlen(name)) > 0);
		break;
	case 3: (void)!unlink(name); break;
	case 4:
	case 5: (void)!rename(name, other); break;
	case 6:
	case 7: (void)!link(name, other); break;
	case 8:
		(void)!syscall(SYS_renameat2, AT_FDCWD, name, AT_FDCWD, other,
				strncmp(name, "../", 3) == 0 || strncmp(other, "../", 3) == 0 ? 1 : 2);
		break;
	case 9: (void)!symlink(name, other); break;
	case 10: {
		char path[64];
		fd = open(".", O_TMPFILE | O_RDWR, 0600);
		CHECK(fd >= 0 && write(fd, name, strlen(name)) > 0);
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		(void)!linkat(AT_FDCWD, path, AT_FDCWD, other, AT_SYMLINK_FOLLOW);
		CHECK(write(fd, other, strlen(other)) > 0);
		break;
	}
	default: /* mapped, and its name goes meanwhile */
		fd = open(name, O_CREAT | O_RDWR, 0644);
		if (fd < 0 || ftruncate(fd, 5000) != 0)
			break;
		char *p = map_fd(fd, 8192, 0);
		p[10] = 5;
		(void)!(chance(a, 50) ? unlink(name) : rename(name, other));
		p[11] = 6;
		p[4999] = 7;
		p[5001] = 8; /* past the end */
		CHECK(munmap(p, 8192) == 0);
		break;
	}
	if (fd >= 0)
		close(fd);
}

void op_directories(Actor *a)
{
	char name[32], other[32];
	snprintf(name, sizeof name, "d%ld", below(a, 3));
	snprintf(other, sizeof other, "d%ld", below(a, 3));
	expect_anything(a);
	switch (pick(a, 4)) {
	case 0:
	case 1: (void)!mkdir(name, 0755); break;
	case 2: (void)!rmdir(name); break;
	default: (void)!rename(name, other); break;
	}
}

static void expect_sync(Actor *a, int kind, int file, long offset, long size, int result)
{
	expect(a, SYNCED, kind, file, offset, size, result == 0 ? 0 : errno);
}

void op_sync(Actor *a)
{
	const Map *map = &a->maps[below(a, 2)];
	long first = PAGE * below(a, map->size / PAGE);
	long size = below(a, map->size - first) + 1;
	long pages = (size + PAGE - 1) & -PAGE;
	char *start = map->start + first;
	int result;
	switch (pick(a, 9)) {
	case 0:
		result = msync(start, (size_t)size, MS_SYNC);
		expect_sync(a, 1, THE_POOL, map->offset + first, pages, result);
		break;
	case 1:
		result = msync(start, (size_t)size, MS_ASYNC);
		expect_sync(a, 2, THE_POOL, map->offset + first, pages, result);
		break;
	case 2: /* both ways at once */
		result = msync(start, (size_t)size, MS_SYNC | MS_ASYNC);
		expect_sync(a, 1, THE_POOL, map->offset + first, pages, result);
		break;
	case 3:
		result = fsync(a->pool);
		expect_sync(a, 3, THE_POOL, 0, 0, result);
		break;
	case 4:
		result = fdatasync(a->pool);
		expect_sync(a, 4, THE_POOL, 0, 0, result);
		break;
	case 5:
		result = sync_file_range(a->pool, first, size, SYNC_FILE_RANGE_WRITE);
		expect_sync(a, 5, THE_POOL, first, size, result);
		break;
	case 6:
		result = sync_file_range(a->pool, first, size, 0xff00);
		expect_sync(a, 5, THE_POOL, first, size, result);
		break;
	case 7: {
		int fd = open(".", O_RDONLY | O_DIRECTORY);
		result = fsync(fd);
		close(fd);
		expect_sync(a, 7, VOLATILE_MEMORY, 0, 0, result);
		break;
	}
	default:
		result = syncfs(a->pool);
		expect_sync(a, 6, VOLATILE_MEMORY, 0, 0, result);
		break;
	}
}
