/*
 * A process persists, its parent waits for its end, and then makes another one, which loads. In the racy one the parent
 * does not wait.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"
#include <sys/wait.h>

int main(int count, char **arguments)
{
	race_begin(count, arguments);
	pid_t writer = fork();
	if (writer == 0) {
		X = 1; /* AT store */
		pm_persist(&X); /* AT persist */
		pass(1);
		_exit(0);
	}
	if (racy)
		turn(1);
	else
		waitpid(writer, NULL, 0);
	if (fork() == 0) {
		sink = X; /* AT load */
		_exit(0);
	}
	while (wait(NULL) > 0)
		;
	return 0;
}
