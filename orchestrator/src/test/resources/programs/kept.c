/*
 * What files have beside their content: kept setup PMDIR, kept run WRONG PMDIR, kept check PMDIR
 * The run does each of its parts right but for the one that WRONG names; the check says which part it finds broken.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define PAGE 4096
#define VAST (1L << 40)
#define MARK "user.committed"

static const char *wrong = "";

static int is_wrong(const char *part)
{
	return strcmp(wrong, part) == 0;
}

static void need(int condition, const char *what)
{
	if (!condition) {
		perror(what);
		exit(2);
	}
}

static void refuse(int condition, const char *what)
{
	if (condition) {
		printf("broken: %s\n", what);
		exit(1);
	}
}

static int make(const char *name, mode_t mode, off_t size)
{
	int file = open(name, O_CREAT | O_RDWR, mode);
	need(file >= 0 && ftruncate(file, size) == 0, name);
	return file;
}

static char *map(int file, off_t offset)
{
	char *start = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, offset);
	need(start != MAP_FAILED, "mmap");
	return start;
}

__attribute__((noinline)) static void persist(const void *where)
{
	__asm__ volatile("clwb (%0)\n\tsfence" : : "r"(where) : "memory");
}

__attribute__((noinline)) static void put(char *where, char value)
{
	*where = value;
	persist(where);
}

static char get(const char *name, off_t offset)
{
	char value = 0;
	int file = open(name, O_RDONLY);
	refuse(file < 0 || pread(file, &value, 1, offset) != 1, name);
	close(file);
	return value;
}

/* Both lines of a file. */
static void put_both(char *start, char value)
{
	put(start, value);
	put(start + 64, value);
}

static int is_whole(const char *name, char value)
{
	return get(name, 0) == value && get(name, 64) == value;
}

static struct stat status(const char *name)
{
	struct stat status;
	refuse(lstat(name, &status) != 0, name);
	return status;
}

static int is_there(const char *name)
{
	return access(name, F_OK) == 0;
}

/* ---- a file and a directory that nobody else may ever read */

static void run_secret(void)
{
	mode_t before = umask(is_wrong("secret") ? 0 : 077);
	char *start = map(make("secret", 0644, PAGE), 0);
	put_both(start, 1);
	need(chmod("secret", 0600) == 0, "chmod");
	umask(is_wrong("vault") ? 0 : 077);
	need(mkdir("vault", 0777) == 0, "mkdir");
	put_both(map(make("vault/key", 0666, PAGE), 0), 1);
	need(chmod("vault", 0700) == 0, "chmod");
	umask(before);
}

static void check_secret(void)
{
	refuse(is_there("secret") && (status("secret").st_mode & 07777) != 0600, "secret");
	refuse(is_there("vault") && (status("vault").st_mode & 07777) != 0700, "vault");
}

/* ---- a file is whole when it may not be written to any more */

static void run_seal(void)
{
	int file = open("sealed", O_RDWR);
	char *start = map(file, 0);
	if (is_wrong("seal"))
		need(fchmod(file, 0400) == 0, "fchmod");
	put_both(start, 1);
	need(fchmod(file, 0400) == 0, "fchmod");
}

static void check_seal(void)
{
	mode_t mode = status("sealed").st_mode & 07777;
	refuse(mode != 0600 && (mode != 0400 || !is_whole("sealed", 1)), "seal");
}

/* ---- written by one name, read by the other */

static void run_twins(void)
{
	if (is_wrong("twins"))
		need(unlink("twin a") == 0, "unlink");
	char *start = map(make("twin a", 0600, PAGE), 0);
	for (char value = 1; value < 4; value++)
		put_both(start, value);
	if (is_wrong("twins"))
		need(unlink("twin b") == 0 && link("twin a", "twin b") == 0, "link");
}

static void check_twins(void)
{
	refuse(access("twin a", F_OK) != 0 || access("twin b", F_OK) != 0, "twins");
	refuse(status("twin a").st_ino != status("twin b").st_ino || status("twin a").st_nlink != 2, "twins");
	int ahead = get("twin b", 0) - get("twin b", 64);
	refuse(get("twin b", 0) != get("twin a", 0) || ahead < 0 || ahead > 1, "twins");
}

/* ---- a new file takes one of the old one's two names */

static void run_replace(void)
{
	char *start = map(make("config.tmp", 0600, PAGE), 0);
	put(start, 2);
	if (is_wrong("replace")) {
		need(rename("config.tmp", "config") == 0, "rename");
		put(start + 128, 1);
	}
	put(start + 64, 2);
	if (!is_wrong("replace"))
		need(rename("config.tmp", "config") == 0, "rename");
	put(start + 128, 2);
}

static void check_replace(void)
{
	refuse(!is_whole("config", 1) && !is_whole("config", 2), "replace");
	refuse(!is_whole("config.old", 1) || status("config").st_nlink != (is_whole("config", 1) ? 2 : 1), "replace");
}

/* ---- a symbolic link shows which version counts */

static void run_switch(void)
{
	char *start = map(make("version 2", 0600, PAGE), 0);
	need(symlink("version 2", "current.tmp") == 0, "symlink");
	if (is_wrong("switch"))
		need(rename("current.tmp", "current") == 0, "rename");
	put_both(start, 2);
	if (!is_wrong("switch"))
		need(rename("current.tmp", "current") == 0, "rename");
	put(start + 128, 1);
}

static void check_switch(void)
{
	refuse(!S_ISLNK(status("current").st_mode), "switch");
	refuse(!is_whole("current", 1) && !is_whole("current", 2), "switch");
}

/* ---- an extended attribute shows that the data are there */

static int has_marks(void)
{
	return setxattr("marked", "user.try", "", 0, 0) == 0 && removexattr("marked", "user.try") == 0;
}

static void run_mark(void)
{
	int file = open("marked", O_RDWR);
	char *start = map(file, 0);
	if (!has_marks())
		return;
	if (is_wrong("mark"))
		need(fsetxattr(file, MARK, "yes", 3, 0) == 0, "fsetxattr");
	put_both(start, 1);
	need(fsetxattr(file, MARK, "yes", 3, 0) == 0, "fsetxattr");
	put(start + 128, 1);
}

static void check_mark(void)
{
	char value[8];
	ssize_t length = getxattr("marked", MARK, value, sizeof value);
	refuse(length >= 0 && (length != 3 || memcmp(value, "yes", 3) != 0 || !is_whole("marked", 1)), "mark");
	refuse(length < 0 && get("marked", 128) != 0, "mark");
}

/* ---- a terabyte that takes two pages */

static void run_vast(void)
{
	int file = make("vast", 0600, VAST);
	char *data = map(file, VAST / 2);
	char *header = map(file, 0);
	if (is_wrong("vast"))
		put(header, 1);
	put(data, 7);
	put(header, 1);
}

static void check_vast(void)
{
	if (!is_there("vast") || status("vast").st_size == 0)
		return;
	refuse(status("vast").st_size != VAST || status("vast").st_blocks > 64, "vast");
	refuse(get("vast", 0) == 1 && get("vast", VAST / 2) != 7, "vast");
}

/* ------------------------------------------------------------------ */

static void link_to(const char *name, const char *other)
{
	need(link(name, other) == 0, other);
}

static void setup(void)
{
	umask(0);
	need(chmod(".", 0750) == 0, "chmod");
	make("sealed", 0600, PAGE);
	make("twin a", 0600, PAGE);
	link_to("twin a", "twin b");
	put_both(map(make("config", 0600, PAGE), 0), 1);
	link_to("config", "config.old");
	put_both(map(make("version 1", 0600, PAGE), 0), 1);
	need(symlink("version 1", "current") == 0, "symlink");
	make("marked", 0600, PAGE);
	if (geteuid() == 0)
		need(chown("marked", 1234, 4321) == 0 && lchown("current", 1234, 4321) == 0, "chown");
}

static void run(void)
{
	if (is_wrong("alone")) {
		run_twins();
		return;
	}
	run_secret();
	run_seal();
	run_twins();
	run_replace();
	run_switch();
	run_mark();
	run_vast();
}

static void check(void)
{
	refuse((status(".").st_mode & 07777) != 0750, "directory");
	if (geteuid() == 0) {
		refuse(status("marked").st_uid != 1234 || status("marked").st_gid != 4321, "owner");
		refuse(status("current").st_uid != (is_whole("current", 1) ? 1234 : 0), "owner of the link");
	}
	check_secret();
	check_seal();
	check_twins();
	check_replace();
	check_switch();
	check_mark();
	check_vast();
}

int main(int argc, char **argv)
{
	need(argc >= 3 && chdir(argv[argc - 1]) == 0, "usage");
	if (strcmp(argv[1], "setup") == 0) {
		setup();
	} else if (strcmp(argv[1], "run") == 0) {
		wrong = argv[2];
		run();
	} else {
		check();
	}
	return 0;
}
