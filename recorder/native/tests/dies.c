/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dies between a flush and its fence: dies DIR segv|abort|kill|term. */
#include "pm.h"

#include <signal.h>

__attribute__((always_inline)) static inline void die(const char *how, char *pm)
{
	flush(pm);
	if (strcmp(how, "segv") == 0)
		*(volatile char *)8 = 1;
	if (strcmp(how, "abort") == 0)
		abort();
	if (strcmp(how, "term") == 0)
		raise(SIGTERM);
	if (fork() == 0) /* nobody can see that coming */
		_exit(kill(getppid(), SIGKILL));
	pause();
}

int main(int argc, char **argv)
{
	CHECK(argc == 3 && chdir(argv[1]) == 0);
	char *pm = map_file("dies", 4096);
	pm[0] = 1;
	die(argv[2], pm);
	return 0;
}
