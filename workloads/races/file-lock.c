/*
 * Two processes share the pool, and lock a file beside it by flock.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"
#include <sys/file.h>
#include <sys/wait.h>

static int open_lock(const char *pool)
{
	char path[4096];
	snprintf(path, sizeof path, "%s.lock", pool);
	int lock = open(path, O_RDWR | O_CREAT, 0644);
	need(lock >= 0, path);
	return lock;
}

static void writer(int lock)
{
	flock(lock, LOCK_EX);
	X = 1; /* AT store */
	if (racy)
		flock(lock, LOCK_UN);
	pm_persist(&X); /* AT persist */
	if (!racy)
		close(lock);
	pass(1);
}

static void reader(int lock)
{
	turn(1);
	flock(lock, LOCK_SH);
	sink = X; /* AT load */
	flock(lock, LOCK_UN);
}

int main(int count, char **arguments)
{
	race_begin(count, arguments);
	if (fork() == 0) {
		reader(open_lock(arguments[2]));
		_exit(0);
	}
	if (fork() == 0) {
		writer(open_lock(arguments[2]));
		_exit(0);
	}
	wait(NULL);
	wait(NULL);
	return 0;
}
