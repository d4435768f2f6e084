/*
 * A target with habits: target HABIT PMDIR [FILE]. It stores to three slots of PMDIR/data and persists each; the habit
 * says what it does besides. `check` finds everything consistent; `check-greedily` fills the disk when some of the
 * slots are empty and some are not; `check-and-scribble` (or -grow, -shrink, -delete) finds a state that no cut of the
 * power leaves wrong, and spoils the files afterwards. FILE, outside PMDIR, makes a habit of the first execution alone,
 * or of all but the first.
 */
#include "program.h"

#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define SLOTS 3

__attribute__((noinline)) static void first(uint64_t *pool)
{
	pool[0] = 1;
	persist(pool);
}

__attribute__((noinline)) static void second(uint64_t *pool)
{
	pool[LINE / sizeof *pool] = 2;
	persist(pool + LINE / sizeof *pool);
}

__attribute__((noinline)) static void third(uint64_t *pool)
{
	pool[2 * LINE / sizeof *pool] = 3;
	persist(pool + 2 * LINE / sizeof *pool);
}

static int is_first_execution(const char *file)
{
	int descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL, 0644);
	if (descriptor >= 0)
		close(descriptor);
	return descriptor >= 0;
}

static void wait_for_ever(void)
{
	for (;;)
		pause();
}

static void fork_daemon(void)
{
	pid_t child = fork();
	if (child < 0)
		fail("fork");
	if (child > 0)
		return;
	setsid();
	if (fork() != 0)
		_exit(0);
	wait_for_ever();
}

static void fill_disk(const char *directory)
{
	char path[4096];
	static char block[1 << 16];
	memset(block, 'x', sizeof block);
	snprintf(path, sizeof path, "%s/filling", directory);
	int descriptor = open(path, O_WRONLY | O_CREAT, 0644);
	while (write(descriptor, block, sizeof block) > 0)
		;
	fail("write");
}

/* Continues in a child; its parent says so when that fails. */
static void in_child(int code)
{
	int status;
	pid_t child = fork();
	if (child < 0)
		fail("fork");
	if (child > 0)
		_exit(waitpid(child, &status, 0) == child && status == 0 ? 0 : code);
}

/* Three writes that are made durable, one that is not, and two msyncs. */
static void write_outside(const char *file)
{
	char path[4096];
	int descriptor = open(file, O_RDWR | O_CREAT, 0644);
	for (int i = 0; i < 3; i++)
		if (write(descriptor, "index", 5) != 5)
			fail("write");
	fsync(descriptor);
	if (write(descriptor, "index", 5) != 5)
		fail("write");
	snprintf(path, sizeof path, "%s-mapped", file);
	descriptor = open(path, O_RDWR | O_CREAT, 0644);
	if (ftruncate(descriptor, 4096) != 0)
		fail(path);
	char *mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
	for (int i = 0; i < 2; i++) {
		mapped[i] = 'x';
		msync(mapped, 4096, MS_SYNC);
	}
	snprintf(path, sizeof path, "%s-log", file);
	descriptor = open(path, O_WRONLY | O_CREAT, 0644);
	if (write(descriptor, "log", 3) != 3)
		fail("write");
}

static void behave(const char *habit, const char *directory, const char *file)
{
	if (strcmp(habit, "hang") == 0)
		wait_for_ever();
	if (strcmp(habit, "hang-later") == 0 && !is_first_execution(file))
		wait_for_ever();
	if (strcmp(habit, "ignore-sigterm") == 0) {
		signal(SIGTERM, SIG_IGN);
		signal(SIGINT, SIG_IGN);
		signal(SIGHUP, SIG_IGN);
		wait_for_ever();
	}
	if (strcmp(habit, "daemon") == 0)
		fork_daemon();
	while (strcmp(habit, "print-for-ever") == 0)
		puts("still here, and with a lot to say");
	if (strcmp(habit, "print-much") == 0)
		for (int i = 0; i < 100000; i++)
			puts("a line that is one of very many, of which nobody needs the most");
	if (strcmp(habit, "fill-disk") == 0)
		fill_disk(directory);
	if (strcmp(habit, "segfault-in-child") == 0)
		in_child(1);
	if (strncmp(habit, "segfault", 8) == 0 || strcmp(habit, "abort") == 0 || strcmp(habit, "kill") == 0)
		fprintf(stderr, "my last words\n");
	if (strcmp(habit, "abort") == 0)
		abort();
	if (strcmp(habit, "kill") == 0 && fork() == 0)
		_exit(kill(getppid(), SIGKILL));
	if (strcmp(habit, "kill") == 0)
		wait_for_ever();
	if (strncmp(habit, "segfault", 8) == 0)
		*(volatile int *)8 = 1;
	if (strcmp(habit, "write-outside") == 0)
		write_outside(file);
	if (strcmp(habit, "exit-early") == 0) {
		fprintf(stderr, "this is not my day\n");
		exit(7);
	}
}

/* Follows a list that a cut after the first slot has made a ring. */
__attribute__((noinline)) static void follow(volatile uint64_t *pool)
{
	while (pool[0] != 0 && pool[2 * LINE / sizeof *pool] == 0)
		pool[3]++;
}

static int check_and_hang(const char *directory)
{
	follow(map_lines(directory, "data", SLOTS));
	return 0;
}

static int check_greedily(const char *directory)
{
	uint64_t *pool = map_lines(directory, "data", SLOTS);
	if (pool[0] != 0 && pool[2 * LINE / sizeof *pool] == 0)
		fill_disk(directory);
	return 0;
}

/* Slots are filled in order, and nothing else is in the directory. */
static int is_possible(const char *directory)
{
	char path[4096];
	struct stat status;
	snprintf(path, sizeof path, "%s/data", directory);
	if (stat(path, &status) != 0 || (status.st_size != 0 && status.st_size != SLOTS * LINE))
		return 0;
	snprintf(path, sizeof path, "%s/rubbish", directory);
	if (stat(path, &status) == 0)
		return 0;
	uint64_t *pool = map_lines(directory, "data", SLOTS);
	int filled = 1;
	for (uint64_t slot = 0; slot < SLOTS; slot++) {
		uint64_t value = pool[slot * LINE / sizeof *pool];
		if (value != 0 && (value != slot + 1 || !filled))
			return 0;
		filled = value != 0;
	}
	for (size_t byte = 0; byte < SLOTS * LINE; byte++)
		if (byte % LINE >= sizeof *pool && ((char *)pool)[byte] != 0)
			return 0;
	return 1;
}

static int check_and_spoil(const char *how, const char *directory)
{
	char path[4096];
	char other[4096];
	if (!is_possible(directory))
		return 1;
	snprintf(path, sizeof path, "%s/data", directory);
	snprintf(other, sizeof other, "%s/rubbish", directory);
	int descriptor = open(path, O_RDWR);
	if (strcmp(how, "scribble") == 0) {
		memset(map_lines(directory, "data", SLOTS), 0xff, SLOTS * LINE);
		return mkdir(other, 0755) == 0 ? 0 : 2;
	}
	if (strcmp(how, "grow") == 0)
		return pwrite(descriptor, "x", 1, 1 << 20) == 1 && symlink("data", other) == 0 ? 0 : 2;
	if (strcmp(how, "shrink") == 0)
		return ftruncate(descriptor, 1) == 0 ? 0 : 2;
	return rename(path, other) == 0 && unlink(other) == 0 ? 0 : 2;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	const char *habit = argv[1];
	if (strcmp(habit, "check") == 0 || strcmp(habit, "no-pm") == 0)
		return 0;
	if (strcmp(habit, "no-pm-before-its-end") == 0) {
		fork_daemon();
		return 0;
	}
	if (strcmp(habit, "check-greedily") == 0)
		return check_greedily(argv[2]);
	if (strcmp(habit, "check-and-hang") == 0)
		return check_and_hang(argv[2]);
	if (strcmp(habit, "check-strictly") == 0) {
		map_lines(argv[2], "data", SLOTS);
		return is_possible(argv[2]) ? 0 : 1;
	}
	if (strcmp(habit, "check-and-hang-or-refuse") == 0)
		return check_and_hang(argv[2]) || map_lines(argv[2], "data", SLOTS)[0] != 0;
	if (strcmp(habit, "check-at-the-end") == 0) /* does not accept what the whole run leaves, and takes its time */
		return usleep(200000) != 0 || map_lines(argv[2], "data", SLOTS)[2 * LINE / sizeof(uint64_t)] != 0;
	if (strncmp(habit, "check-and-", strlen("check-and-")) == 0)
		return check_and_spoil(habit + strlen("check-and-"), argv[2]);
	uint64_t *pool = map_lines(argv[2], "data", SLOTS);
	if (strcmp(habit, "store-nothing") == 0)
		return 0;
	first(pool);
	behave(habit, argv[2], argv[3]);
	if (strcmp(habit, "whimsical") != 0 || is_first_execution(argv[3]))
		second(pool);
	third(pool);
	return 0;
}
