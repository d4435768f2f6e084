/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Children that store are killed, one by one, at any time: also while they begin a chunk of the trace. */
#include <signal.h>
#include <sys/wait.h>

#include "pm.h"

enum { CHILDREN = 60, HALF = 32768, CHUNK = 8 /* so many fill one */ };

/* Each of these is a large record, so chunks are short-lived. */
static void store_for_ever(char *memory, volatile long *stores)
{
	int zeros = open("/dev/zero", O_RDONLY);
	for (;; ++*stores)
		CHECK(read(zeros, memory, HALF) == HALF);
}

int main(int argc, char **argv)
{
	CHECK(argc >= 2 && chdir(argv[1]) == 0);
	char *pm = map_file("heirs", 2 * HALF);
	volatile long *own = (volatile long *)(pm + HALF);
	volatile long *stores = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(stores != MAP_FAILED);
	for (long i = 0; i < CHILDREN; i++) {
		long before = *stores;
		pid_t child = fork();
		CHECK(child >= 0);
		if (child == 0)
			store_for_ever(pm, stores);
		while (*stores < before + CHUNK) /* however slow the machine is */
			usleep(100);
		usleep((useconds_t)(i * 137 % 3000));
		CHECK(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
		own[i] = i + 1;
		persist((char *)&own[i]);
	}
	return 0;
}
