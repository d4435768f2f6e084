/*
 * Writes a file without an fsync, and then announces it by a call that changes names or sizes. "map" stores through a
 * mapping and renames; "exit" announces it by a write, and ends at once; "tell" lets the file grow, which matters to
 * nobody, and says that it is there; "early" says so before it appends the data; "silent" writes the data alone;
 * "table" writes a new file, and names it in another one, which is synchronised and renamed.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIZE 100

static const char *habit;

static int does(const char *what)
{
	return !strcmp(habit, what);
}

static int is_whole(const char *name)
{
	char bytes[SIZE] = {0};
	int fd = open(name, O_RDONLY);
	return fd >= 0 && read(fd, bytes, SIZE) == SIZE && bytes[0] == 'A' && bytes[SIZE - 1] == 'A';
}

static int create(void)
{
	int fd = open("data", O_CREAT | O_WRONLY, 0644);
	int journal = open("journal", O_CREAT | O_WRONLY, 0644);
	return ftruncate(fd, does("early") ? 0 : SIZE) || write(journal, "J", 1) != 1 || fsync(journal);
}

/* As a log-structured tree does with its tables and its manifest. */
static int run_table(const char *bytes)
{
	int table = open("table", O_CREAT | O_WRONLY, 0644);
	if (write(table, bytes, SIZE) != SIZE)
		return 2;
	int named = open("new", O_CREAT | O_WRONLY, 0644);
	if (write(named, "table", 5) != 5 || fsync(named) || rename("new", "other"))
		return 2;
	int journal = open("journal", O_WRONLY);
	return pwrite(journal, "K", 1, 0) != 1 || fsync(journal);
}

static int run(void)
{
	char bytes[SIZE];
	memset(bytes, 'A', SIZE);
	if (does("table"))
		return run_table(bytes);
	int fd = open("data", O_WRONLY);
	if (does("map")) {
		int both = open("data", O_RDWR);
		memset(mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, both, 0), 'A', SIZE);
		return rename("data", "other");
	}
	if (does("early") && write(1, "there", 5) != 5)
		return 2;
	if (write(fd, bytes, SIZE) != SIZE)
		return 2;
	if (does("early"))
		return fsync(fd);
	if (does("correct"))
		fsync(fd);
	if (does("rename"))
		return rename("data", "other");
	if (does("link"))
		return link("data", "other");
	if (does("silent"))
		_exit(0);
	if (does("tell"))
		return pwrite(fd, "A", 1, SIZE) != 1 || write(1, "there", 5) != 5;
	if (does("exit"))
		_exit(pwrite(open("journal", O_WRONLY), "K", 1, 0) != 1);
	return does("truncate") ? truncate("journal", 0) : unlink("journal");
}

static int check(void)
{
	struct stat journal;
	int is_there = stat("journal", &journal) == 0 && journal.st_size > 0;
	const char *told = getenv("POWERCUT_ACKNOWLEDGED_BYTES");
	int is_announced = !is_there;
	if (does("exit")) {
		char kind = 0;
		is_announced = pread(open("journal", O_RDONLY), &kind, 1, 0) == 1 && kind == 'K';
	}
	if (does("tell") || does("early"))
		is_announced = told && atoi(told) == 5;
	if (does("link") || does("rename") || does("map") || does("table"))
		is_announced = access("other", F_OK) == 0;
	const char *name = does("table") ? "table" : does("rename") || does("map") ? "other" : "data";
	if (is_announced && !is_whole(name)) {
		puts("inconsistent: the data are not whole");
		return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc != 4 || chdir(argv[3]))
		return 2;
	habit = argv[2];
	if (!strcmp(argv[1], "create"))
		return create();
	return !strcmp(argv[1], "run") ? run() : check();
}
