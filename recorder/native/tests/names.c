/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of files that are created, deleted and moved. Before the run there are: kept, emptied, removed, moved, linked (with a
 * second name twin), tree/leaf.
 */
#include "pm.h"

#include <sys/syscall.h>

static void put(const char *path, const char *text)
{
	int fd = open(path, O_CREAT | O_RDWR, 0644);
	CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

static void creation_and_deletion(void)
{
	int fd = creat("created", 0600);
	CHECK(fd >= 0 && write(fd, "abc", 3) == 3);
	CHECK(open("created", O_CREAT | O_EXCL | O_RDWR, 0600) == -1);
	CHECK(open("missing", O_RDWR) == -1);
	fd = open("created", O_RDWR | O_TRUNC);
	CHECK(write(fd, "d", 1) == 1);
	fd = open("emptied", O_RDWR | O_TRUNC | O_CREAT, 0600);
	CHECK(write(fd, "e", 1) == 1);
	CHECK(unlink("removed") == 0);
	put("passing", "passing");
	CHECK(unlink("passing") == 0);
	put("passing", "again"); /* perhaps with the same inode number */
	CHECK(unlink("passing") == 0 && unlink("passing") == -1);
	char *pm = map_file("ghost", 8192);
	pm[0] = 1;
	CHECK(unlink("ghost") == 0);
	pm[1] = 1;
	CHECK(mknod("node", S_IFREG | 0600, 0) == 0);
	put("node", "node");
	fd = open(".", O_TMPFILE | O_RDWR, 0600);
	CHECK(fd >= 0 && write(fd, "unnamed", 7) == 7);
	char proc[64];
	snprintf(proc, sizeof proc, "/proc/self/fd/%d", fd);
	CHECK(linkat(AT_FDCWD, proc, AT_FDCWD, "named", AT_SYMLINK_FOLLOW) == 0);
	CHECK(write(fd, " no more", 8) == 8);
	fd = open(".", O_TMPFILE | O_RDWR, 0600);
	CHECK(write(fd, "never named", 11) == 11);
}

static void renames(void)
{
	CHECK(rename("moved", "moved2") == 0); /* not seen before */
	put("a", "aaa");
	put("b", "bbb");
	int fd = open("a", O_RDWR);
	CHECK(rename("a", "b") == 0);
	CHECK(pwrite(fd, "A", 1, 0) == 1);
	CHECK(rename("b", "b") == 0);
	CHECK(rename("missing", "c") == -1);
	put("c", "ccc");
	CHECK(renameat(AT_FDCWD, "c", AT_FDCWD, "d") == 0);
	CHECK(syscall(SYS_renameat2, AT_FDCWD, "b", AT_FDCWD, "d", 1 /* RENAME_NOREPLACE */) == -1);
	CHECK(syscall(SYS_renameat2, AT_FDCWD, "b", AT_FDCWD, "d", 2 /* RENAME_EXCHANGE */) == 0);
	put("b", "after exchange");
	put("new.tmp", "replaces kept");
	CHECK(rename("new.tmp", "kept") == 0);
}

static void links(void)
{
	CHECK(link("linked", "third") == 0);
	put("third", "THIRD");
	CHECK(unlink("linked") == 0);
	put("twin", "TWI");
	CHECK(rename("twin", "twin2") == 0);
	put("one", "1");
	CHECK(link("one", "two") == 0);
	CHECK(rename("one", "two") == 0); /* the same file: nothing happens */
	CHECK(unlink("one") == 0);
	put("two", "2");
	CHECK(symlink("two", "soft") == 0);
	put("soft", "S");
	CHECK(rename("soft", "softer") == 0);
	CHECK(symlink("nowhere", "soft") == 0);
	CHECK(unlink("soft") == 0);
	CHECK(symlinkat("x/y", AT_FDCWD, "dangling") == 0);
	CHECK(link("dangling", "dangling2") == 0);
}

static void directories(void)
{
	CHECK(mkdir("x", 0755) == 0);
	CHECK(mkdirat(AT_FDCWD, "x/y/", 0755) == 0);
	put("x/y/z", "zzz");
	int fd = open("x/y/z", O_RDWR);
	CHECK(rename("x", "w") == 0);
	CHECK(write(fd, "Z", 1) == 1);
	put("w/y/new", "new");
	CHECK(rename("tree", "forest") == 0); /* with a file in it that was not seen yet */
	put("forest/leaf", "L");
	CHECK(mkdir("empty", 0755) == 0 && mkdir("full", 0755) == 0);
	put("full/of", "it");
	CHECK(rename("full", "empty") == 0);
	put("empty/of", "this");
	CHECK(rmdir("w") == -1);
	CHECK(mkdir("gone", 0755) == 0 && rmdir("gone") == 0);
	CHECK(mkdir("gone", 0755) == 0 && unlinkat(AT_FDCWD, "gone", AT_REMOVEDIR) == 0);
}

static void over_the_border(void)
{
	put("../outside-a", "from outside");
	put("../outside-b", "linked from outside");
	CHECK(rename("../outside-a", "came") == 0);
	put("came", "FROM");
	CHECK(link("../outside-b", "linked-in") == 0);
	put("linked-in", "LINKED");
	put("leaves", "leaves");
	CHECK(rename("leaves", "../outside-c") == 0);
	put("leaves", "another");
	put("copied", "copied");
	CHECK(link("copied", "../outside-d") == 0);
	put("copied", "COPIED");
	put("twin-a", "twins"); /* one of two names goes, comes back, and is linked again: one file all the time */
	CHECK(link("twin-a", "twin-b") == 0 && rename("twin-a", "../outside-e") == 0);
	CHECK(rename("../outside-e", "twin-c") == 0);
	put("twin-c", "TWINS");
	put("only", "only"); /* the only name goes; the file comes back as another one */
	CHECK(rename("only", "../outside-f") == 0 && link("../outside-f", "only again") == 0);
	put("only again", "ONLY");
	CHECK(unlink("../outside-f") == 0);
	CHECK(unlink("../outside-c") == 0 && unlink("../outside-d") == 0 && unlink("../outside-b") == 0);
}

int main(int argc, char **argv)
{
	CHECK(argc == 2 && chdir(argv[1]) == 0);
	creation_and_deletion();
	renames();
	links();
	directories();
	over_the_border();
	return 0;
}
