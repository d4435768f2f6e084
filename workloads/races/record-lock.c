/*
 * Two processes share the pool, and lock a part of it by fcntl. The racy reader locks another part.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"
#include <sys/wait.h>

static void lock(int pool, short type, off_t part)
{
	struct flock range = {.l_type = type, .l_whence = SEEK_SET, .l_start = part, .l_len = 8};
	need(fcntl(pool, F_SETLKW, &range) == 0, "fcntl");
}

static void writer(int pool)
{
	lock(pool, F_WRLCK, 0);
	X = 1; /* AT store */
	pm_persist(&X); /* AT persist */
	lock(pool, F_UNLCK, 0);
	pass(1);
}

static void reader(int pool)
{
	off_t part = racy ? 64 : 0;
	turn(1);
	lock(pool, F_RDLCK, part);
	sink = X; /* AT load */
	lock(pool, F_UNLCK, part);
}

int main(int count, char **arguments)
{
	race_begin(count, arguments);
	int pool = open(arguments[2], O_RDWR);
	need(pool >= 0, arguments[2]);
	if (fork() == 0) {
		reader(pool);
		_exit(0);
	}
	if (fork() == 0) {
		writer(pool);
		_exit(0);
	}
	wait(NULL);
	wait(NULL);
	return 0;
}
