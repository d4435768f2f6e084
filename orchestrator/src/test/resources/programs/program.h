/* What the programs here share. */
#ifndef POWERCUT_PROGRAM_H
#define POWERCUT_PROGRAM_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define LINE 64

__attribute__((unused)) static void fail(const char *what)
{
	perror(what);
	exit(2);
}

/* Maps cache lines of a file, which it creates if need be. */
__attribute__((unused)) static uint64_t *map_lines(const char *directory, const char *name, size_t lines)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", directory, name);
	int descriptor = open(path, O_RDWR | O_CREAT, 0644);
	if (descriptor < 0 || ftruncate(descriptor, (off_t)(lines * LINE)) != 0)
		fail(path);
	uint64_t *start = mmap(NULL, lines * LINE, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
	if (start == MAP_FAILED)
		fail(path);
	close(descriptor);
	return start;
}

__attribute__((noinline, unused)) static void persist(const void *where)
{
	__asm__ volatile("clwb (%0)\n\tsfence" : : "r"(where) : "memory");
}

#endif
