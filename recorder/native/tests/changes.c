/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * changes PMDIR SEED OPERATIONS: random changes of names and attributes, most of which fail; what comes of it is
 * compared with the replay.
 */
#include "pm.h"

#include <sys/syscall.h>
#include <sys/xattr.h>

static uint64_t state;

static unsigned any(unsigned limit)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % limit;
}

/* One of few, so that calls meet: in the directory itself, or in one of three that may be there. */
static const char *name(void)
{
	static char names[4][32];
	static unsigned turn;
	static const char *const directories[] = {"", "", "d1/", "d2/", "d1/d3/"};
	char *to = names[turn++ % 4];
	snprintf(to, sizeof names[0], "%s%c", directories[any(5)], 'a' + (char)any(6));
	return to;
}

static const char *directory(void)
{
	static const char *const names[] = {"d1", "d2", "d1/d3", ".", "a"};
	return names[any(5)];
}

static mode_t mode(void)
{
	return any(4) == 0 ? any(010000) : 0700 | any(0100);
}

static int opened(void)
{
	return open(name(), O_RDWR | O_NOFOLLOW);
}

static void file(void)
{
	int fd = open(name(), O_RDWR | (any(3) ? O_CREAT : 0) | (any(4) ? 0 : O_TRUNC), mode());
	char byte = (char)any(256);
	if (fd >= 0 && pwrite(fd, &byte, 1, any(5000)) == 1)
		close(fd);
}

static void unnamed(void)
{
	char proc[64];
	int fd = open(".", O_TMPFILE | O_RDWR, mode());
	CHECK(fd >= 0 && write(fd, "t", 1) == 1);
	snprintf(proc, sizeof proc, "/proc/self/fd/%d", fd);
	linkat(AT_FDCWD, proc, AT_FDCWD, name(), AT_SYMLINK_FOLLOW);
	close(fd);
}

/* A symbolic link with several names becomes several links in the replay. */
static void one_more_name(void)
{
	struct stat status;
	const char *file = name();
	if (lstat(file, &status) == 0 && !S_ISLNK(status.st_mode) && link(file, name()) != 0)
		CHECK(errno != 0);
}

static void attribute(void)
{
	static const char *const names[] = {"user.a", "user.b", "user.c"};
	const char *which = names[any(3)];
	char value[100];
	memset(value, (int)any(256), sizeof value);
	int fd;
	switch (any(5)) {
	case 0: setxattr(name(), which, value, any(100), (int)any(3)); break;
	case 1: setxattr(directory(), which, value, any(100), 0); break;
	case 2: removexattr(name(), which); break;
	case 3: lremovexattr(directory(), which); break;
	default:
		fd = opened();
		if (fd >= 0 && fsetxattr(fd, which, value, any(100), 0) == 0 && any(2))
			fremovexattr(fd, which);
		close(fd);
	}
}

/* An access list with a mask, which chmod and creation change by rules of their own. */
static void access_list(void)
{
	struct {
		uint32_t version;
		struct {
			uint16_t tag, permissions;
			uint32_t id;
		} entries[5];
	} list = {2,
			{{1, 7, -1}, {2, (uint16_t)any(8), 1000}, {4, 5, -1}, {16, (uint16_t)any(8), -1},
					{32, (uint16_t)any(8), -1}}};
	setxattr(any(2) ? name() : directory(), "system.posix_acl_access", &list, sizeof list, 0);
	if (any(3) == 0)
		setxattr(directory(), "system.posix_acl_default", &list, sizeof list, 0);
	else if (any(3) == 0)
		removexattr(directory(), "system.posix_acl_default");
}

static void owner(void)
{
	uid_t who = any(3) ? (uid_t)-1 : any(3);
	gid_t group = any(3) ? (gid_t)-1 : any(3);
	int fd;
	switch (any(4)) {
	case 0: CHECK(chown(name(), who, group) == 0 || errno != 0); break;
	case 1: CHECK(lchown(name(), who, group) == 0 || errno != 0); break;
	case 2:
		CHECK(fchownat(AT_FDCWD, directory(), who, group, any(2) ? AT_SYMLINK_NOFOLLOW : 0) == 0 || errno != 0);
		break;
	default:
		fd = opened();
		CHECK(fchown(fd, who, group) == 0 || errno != 0);
		close(fd);
	}
}

static void change(void)
{
	int fd;
	switch (any(20)) {
	case 0:
	case 1:
	case 2:
	case 3: file(); break;
	case 4: unnamed(); break;
	case 5:
	case 6: one_more_name(); break;
	case 7: CHECK(linkat(AT_FDCWD, name(), AT_FDCWD, name(), AT_SYMLINK_FOLLOW) == 0 || errno != 0); break;
	case 8: CHECK(symlink(name(), name()) == 0 || errno != 0); break;
	case 9:
	case 10: rename(name(), name()); break;
	case 11: syscall(SYS_renameat2, AT_FDCWD, name(), AT_FDCWD, name(), 1 + any(2)); break;
	case 12: any(2) ? unlink(name()) : rmdir(directory()); break;
	case 13: mkdir(directory(), mode()); break;
	case 14: rename(directory(), directory()); break;
	case 15: chmod(any(2) ? name() : directory(), mode()); break;
	case 16:
		fd = opened();
		fchmod(fd, mode());
		close(fd);
		break;
	case 17: owner(); break;
	case 18: attribute(); break;
	default:
		umask(any(0100));
		if (any(2))
			access_list();
	}
}

int main(int argc, char **argv)
{
	CHECK(argc == 4 && chdir(argv[1]) == 0);
	state = strtoull(argv[2], NULL, 10);
	mkdir("d1", 0755);
	mkdir("d1/d3", 0755);
	mkdir("d2", 0755);
	for (int left = atoi(argv[3]); left > 0; left--)
		change();
	return 0;
}
