/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A locked instruction orders what its own thread did: also when another thread ran meanwhile, which has nothing to
 * order.
 */
#include "pm.h"

#include <pthread.h>
#include <sys/syscall.h>

static int there[2], back[2];
static volatile long elsewhere;

static __attribute__((noinline)) void locked_behind_a_flush(void)
{
	__asm__ volatile("lock incq %0" : "+m"(elsewhere));
}

static __attribute__((noinline)) void locked_without_work(void)
{
	__asm__ volatile("lock incq %0" : "+m"(elsewhere));
}

static void *other(void *unused)
{
	char byte;
	CHECK(read(there[0], &byte, 1) == 1);
	locked_without_work();
	CHECK(write(back[1], &byte, 1) == 1);
	return unused;
}

int main(int argc, char **argv)
{
	char byte = 1;
	pthread_t thread;
	CHECK(argc == 2 && chdir(argv[1]) == 0);
	char *p = map_file("switches", 4096);
	CHECK(pipe(there) == 0 && pipe(back) == 0 && pthread_create(&thread, NULL, other, NULL) == 0);
	CHECK(syscall(SYS_getpid) == getpid()); /* bound now, which takes locked instructions, too */
	fence();
	p[0] = 1;
	flush(p); /* the failure point: from here on it is only the flush that waits for a fence */
	/* The C library's read and write have locked instructions of their own. */
	CHECK(syscall(SYS_write, there[1], &byte, 1) == 1 && syscall(SYS_read, back[0], &byte, 1) == 1);
	locked_behind_a_flush();
	CHECK(pthread_join(thread, NULL) == 0);
	return 0;
}
