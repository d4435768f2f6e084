/*
 * A target whose files are compared with its record: truth HABIT PMDIR. It stores to PMDIR/data and persists. `serve`
 * and `serve-and-clean` then wait: what a client writes to the file meanwhile is in no record.
 */
#define _GNU_SOURCE
#include "program.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>

#define SIZE 65536

static char *data;

static char *map(const char *name, off_t size, int how)
{
	int descriptor = open(name, O_RDWR | O_CREAT, 0644);
	if (descriptor < 0 || ftruncate(descriptor, size) != 0)
		fail(name);
	char *start = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, how, descriptor, 0);
	if (start == MAP_FAILED)
		fail(name);
	close(descriptor);
	return start;
}

__attribute__((noinline)) static void store(char *where, char value)
{
	*where = value;
	persist(where);
}

static void *store_for_ever(void *unused)
{
	for (unsigned at = 0;; at++)
		store(data + at % SIZE, (char)at);
	return unused;
}

/* Waits until another process is at that. */
static void wait_for_stores(void)
{
	while (*(volatile char *)(data + 1000) != (char)1000)
		usleep(1000);
}

/* Files of all kinds, and what is none. */
static void many_files(const char *outside)
{
	char path[4096];
	store(map("deleted", SIZE, MAP_SHARED), 1);
	unlink("deleted");
	char *renamed = map("old name", SIZE, MAP_SHARED);
	if (rename("old name", "new name") != 0)
		fail("rename");
	store(renamed + 5000, 2);
	char *cut = map("cut", SIZE, MAP_SHARED);
	memset(cut, 3, SIZE);
	if (truncate("cut", 5000) != 0 || truncate("cut", 9000) != 0)
		fail("truncate");
	cut[8999] = 4;
	cut[9001] = 5; /* past the end */
	int sparse = open("sparse", O_RDWR | O_CREAT, 0600);
	if (ftruncate(sparse, 1L << 40) != 0 || pwrite(sparse, "far", 3, 1L << 39) != 3)
		fail("sparse");
	store(map("private", SIZE, MAP_PRIVATE), 6);
	mkdir("empty", 0700);
	if (symlink("data", "link") != 0 || link("cut", "twin") != 0)
		fail("link");
	snprintf(path, sizeof path, "%s-outside", outside);
	store(map(path, SIZE, MAP_SHARED), 7);
	unlink(path);
}

/* Beside their contents: by the kernel's rules, too. */
static void attributes(void)
{
	umask(027);
	store(map("closed", SIZE, MAP_SHARED), 1);
	if (mkdir("folder", 0777) != 0 || chmod("folder", 02711) != 0 || link("closed", "folder/twin") != 0)
		fail("folder");
	store(map("folder/made there", SIZE, MAP_SHARED), 2);
	if (chmod("folder/twin", 04755) != 0)
		fail("chmod");
	int descriptor = open("closed", O_RDWR);
	setxattr("closed", "user.one", "1", 1, 0);
	if (rename("folder", "renamed") != 0 || fchmod(descriptor, 0400) != 0 || chmod(".", 0711) != 0)
		fail("rename");
	if (geteuid() != 0)
		return;
	if (chmod("closed", 06755) != 0 || fchown(descriptor, 12, 13) != 0 || lchown("data", 14, 15) != 0)
		fail("chown");
	if (chmod("closed", 04755) != 0)
		fail("chmod");
	if (fork() == 0)
		_exit(setregid(13, 13) != 0 || setreuid(12, 12) != 0 || pwrite(descriptor, "x", 1, 0) != 1);
	wait(NULL);
}

static volatile sig_atomic_t ended;

static void end(int signal)
{
	(void)signal;
	ended = 1;
}

static void serve(const char *habit)
{
	sigset_t all, none;
	struct sigaction action = {.sa_handler = end};
	sigfillset(&all);
	sigemptyset(&none);
	sigprocmask(SIG_BLOCK, &all, NULL);
	sigaction(SIGTERM, &action, NULL);
	printf("ready\n");
	fflush(stdout);
	while (!ended)
		sigsuspend(&none);
	if (strcmp(habit, "serve-and-clean") == 0) { /* nothing is left of it in the end */
		for (unsigned i = 0; i < 2000; i++)
			store(data, (char)i);
		memset(data, 0, SIZE);
	}
}

int main(int argc, char **argv)
{
	if (argc != 3 || chdir(argv[2]) != 0)
		fail("usage");
	const char *habit = argv[1];
	data = map("data", SIZE, MAP_SHARED);
	for (unsigned at = 0; at < SIZE; at += 4096)
		store(data + at, (char)(at >> 12));
	pthread_t thread;
	if (strcmp(habit, "serve-twin") == 0 && link("data", "twin") != 0)
		fail("twin");
	if (strncmp(habit, "serve", 5) == 0) {
		serve(habit);
	} else if (strcmp(habit, "files") == 0) {
		many_files(argv[2]);
	} else if (strcmp(habit, "attributes") == 0) {
		attributes();
	} else if (strcmp(habit, "threads") == 0) {
		for (int i = 0; i < 3; i++)
			pthread_create(&thread, NULL, store_for_ever, NULL);
		usleep(60000);
	} else if (strcmp(habit, "killed-child") == 0) {
		pid_t child = fork();
		if (child == 0)
			store_for_ever(NULL);
		wait_for_stores();
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	} else if (strcmp(habit, "detached-child") == 0) {
		if (fork() == 0) {
			setsid();
			store_for_ever(NULL);
		}
		wait_for_stores();
	} else if (strcmp(habit, "blocked-read") == 0) {
		int ends[2];
		if (pipe(ends) != 0)
			fail("pipe");
		if (fork() == 0)
			_exit(0);
		alarm(1);
		signal(SIGALRM, SIG_DFL);
		struct sigaction action = {.sa_handler = end};
		sigaction(SIGALRM, &action, NULL);
		if (read(ends[0], data + 100, 10) >= 0)
			fail("read");
	}
	return 0;
}
