/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One process has the kernel store into PM, place by place; the other punches holes where that one is just now, so that
 * many a store is overtaken by a hole before it is recorded.
 */
#include "pm.h"

#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>

#define PLACES 8192
#define ROOM 16 /* bytes of each */

static void store(char *place, int way, int source)
{
	switch (way) {
	case 0:
	case 1:
	case 2: CHECK(syscall(SYS_getrlimit, RLIMIT_STACK, place) == 0); break;
	case 3: CHECK(syscall(SYS_getrlimit, RLIMIT_NOFILE, place) == 0); break;
	case 4: CHECK(prlimit(0, RLIMIT_STACK, NULL, (struct rlimit *)place) == 0); break;
	case 5: CHECK(syscall(SYS_clock_gettime, CLOCK_MONOTONIC, place) == 0); break;
	case 6: CHECK(getrandom(place, ROOM, 0) == ROOM); break;
	default: CHECK(pread(source, place, ROOM, 0) == ROOM); break;
	}
}

int main(int argc, char **argv)
{
	CHECK(argc == 2 && chdir(argv[1]) == 0);
	char *pm = map_file("overtaken", PLACES * ROOM);
	int fd = open("overtaken", O_RDWR), source = open("/proc/self/exe", O_RDONLY);
	volatile int *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(fd >= 0 && source >= 0 && at != MAP_FAILED);
	pid_t child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		for (int place = *at, before = -1; place < PLACES; place = *at) {
			if (place != before) /* a second hole would hide what the first one shows */
				CHECK(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, place * ROOM, ROOM) == 0);
			before = place;
		}
		_exit(0);
	}
	for (int i = 0; i < PLACES; i++) {
		*at = i;
		for (int again = 0; again < 1 + i / 8 % 4; again++)
			store(pm + i * ROOM, i % 8, source);
	}
	*at = PLACES;
	int status;
	CHECK(waitpid(child, &status, 0) == child && status == 0);
	return 0;
}
