/*
 * A process persists and then writes to a pipe, from which another one reads before it loads. The racy writer persists too
 * late.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"
#include <sys/wait.h>

static int ends[2];

static void tell(void)
{
	need(write(ends[1], "x", 1) == 1, "write");
}

static void writer(void)
{
	X = 1; /* AT store */
	if (racy)
		tell();
	pm_persist(&X); /* AT persist */
	if (!racy)
		tell();
	pass(1);
}

static void reader(void)
{
	char byte;
	turn(1);
	need(read(ends[0], &byte, 1) == 1, "read");
	sink = X; /* AT load */
}

int main(int count, char **arguments)
{
	race_begin(count, arguments);
	need(pipe(ends) == 0, "pipe");
	if (fork() == 0) {
		reader();
		_exit(0);
	}
	if (fork() == 0) {
		writer();
		_exit(0);
	}
	wait(NULL);
	wait(NULL);
	return 0;
}
