/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Modes, owners and extended attributes that change, and some that do not. Before the run there are: old (mode
 * 0640, with a second name folder/twin), other, link (to old), unseen, "to unseen". A line "change" for each record
 * that must come of it.
 */
#include "pm.h"

#include <sys/syscall.h>
#include <sys/xattr.h>

static int changes(int result)
{
	CHECK(result >= 0);
	say("change");
	return result;
}

static void fails(int result)
{
	CHECK(result == -1);
}

static void modes(void)
{
	changes(chmod("old", 0600)); /* not seen before */
	int fd = open("old", O_RDWR);
	changes(fchmod(fd, 0604));
	changes(fchmodat(AT_FDCWD, "folder/twin", 0400, 0)); /* the same file */
	changes(chmod("link", 0444)); /* and again */
	changes(chmod("folder", 0711));
	changes(chmod(".", 01750));
	changes(fchmod(open(".", O_RDONLY), 0700));
	fails(chmod("missing", 0600));
	fails(fchmod(99, 0600));
	CHECK(chmod("..", 0755) == 0);
	CHECK(unlink("other") == 0);
	changes(fchmod(fd, 0640));
}

static void creations(void)
{
	umask(077);
	CHECK(write(changes(open("private", O_CREAT | O_RDWR, 0666)), "p", 1) == 1);
	close(open("private", O_CREAT | O_RDWR, 0644)); /* is there */
	changes(mkdir("closed", 0777));
	umask(0);
	changes(open("public", O_CREAT | O_RDWR, 0666));
	changes(mkdir("closed/open", 01777));
	changes(mknod("node", S_IFREG | 0123, 0));
	changes(symlink("public", "soft"));
	int fd = changes(open(".", O_TMPFILE | O_RDWR, 0611));
	changes(fchmod(fd, 0622));
	char proc[64];
	snprintf(proc, sizeof proc, "/proc/self/fd/%d", fd);
	CHECK(linkat(AT_FDCWD, proc, AT_FDCWD, "named", AT_SYMLINK_FOLLOW) == 0);
	CHECK(mkfifo("fifo", 0600) == 0);
	CHECK(chmod("fifo", 0644) == 0); /* in no image */
}

static void names(void)
{
	CHECK(link("old", "third") == 0);
	changes(chmod("third", 0606));
	CHECK(rename("public", "third") == 0); /* over one name of several */
	changes(chmod("old", 0660));
	CHECK(linkat(AT_FDCWD, "link", AT_FDCWD, "by link", AT_SYMLINK_FOLLOW) == 0); /* a name of old */
	CHECK(linkat(AT_FDCWD, "to unseen", AT_FDCWD, "seen", AT_SYMLINK_FOLLOW) == 0);
	CHECK(link("old", "leaves") == 0 && rename("leaves", "../left") == 0 && unlink("../left") == 0);
	int fd = open("../outside", O_CREAT | O_RDWR, 0601);
	CHECK(fd >= 0 && write(fd, "o", 1) == 1 && fchmod(fd, 0610) == 0);
	changes(rename("../outside", "inside"));
	changes(rename("soft", "softer"));
	changes(fchmod(fd, 0611));
	CHECK(rename("closed", "opened") == 0);
	changes(chmod("opened/open", 0700));
}

static void extended(void)
{
	char big[30000];
	memset(big, 'b', sizeof big);
	changes(setxattr("old", "user.one", "1", 1, 0));
	fails(setxattr("old", "user.one", "2", 1, XATTR_CREATE));
	int fd = open("old", O_RDONLY);
	changes(fsetxattr(fd, "user.two", "", 0, 0));
	changes(lsetxattr("opened", "user.big", big, sizeof big, 0));
	changes(setxattr(".", "user.root", "r", 1, 0));
	changes(lremovexattr("old", "user.one"));
	changes(fremovexattr(fd, "user.two"));
	fails(removexattr("old", "user.two"));
	changes(removexattr(".", "user.root"));
	changes(setxattr("link", "user.link", "l", 1, 0));
}

/* For root only: nobody else may give files away. */
static void owners(void)
{
	changes(chown("old", 1001, -1));
	changes(lchown("link", 1002, 1003));
	changes(chown("link", -1, 1004));
	int fd = open("old", O_RDWR);
	changes(fchown(fd, 1005, 1006));
	changes(fchownat(AT_FDCWD, "softer", 7, 8, AT_SYMLINK_NOFOLLOW));
	changes(fchownat(fd, "", 9, 10, AT_EMPTY_PATH));
	changes(fchownat(open("opened", O_PATH), "", 11, 12, AT_EMPTY_PATH));
	changes(chmod("opened", 02775));
	CHECK(write(changes(open("opened/inherits", O_CREAT | O_RDWR, 0755)), "i", 1) == 1);
	changes(mkdir("opened/below", 0755));
	fd = changes(open("sticky", O_CREAT | O_RDWR, 0777));
	changes(chmod("sticky", 06755));
	changes(chown("sticky", 13, 13)); /* takes the bits away */
	changes(chmod("sticky", 04755));
	int cut = changes(open("cut", O_CREAT | O_RDWR, 0600));
	CHECK(write(cut, "c", 1) == 1);
	changes(chown("cut", 13, 13));
	changes(chmod("cut", 04755));
	pid_t child = fork();
	if (child == 0) { /* who may not keep them loses them by writing, too */
		CHECK(syscall(SYS_setresgid, 13, 13, 13) == 0 && syscall(SYS_setresuid, 13, 13, 13) == 0);
		char again[64];
		snprintf(again, sizeof again, "/proc/self/fd/%d", cut);
		_exit(write(fd, "s", 1) == 1 && open(again, O_WRONLY | O_TRUNC) >= 0 ? 0 : 1);
	}
	int status;
	CHECK(waitpid(child, &status, 0) == child && status == 0);
	struct stat now;
	CHECK(fstat(fd, &now) == 0 && (now.st_mode & 04000) == 0);
	say("change");
	CHECK(stat("cut", &now) == 0 && (now.st_mode & 04000) == 0);
	say("change");
}

int main(int argc, char **argv)
{
	CHECK(argc == 2 && chdir(argv[1]) == 0);
	modes();
	creations();
	names();
	extended();
	if (geteuid() == 0)
		owners();
	say_all();
	return 0;
}
