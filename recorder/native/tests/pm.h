/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the test programs share. A program is given its PM directory as its first argument. What it does there is
 * compared byte for byte with the trace; what it prints with say_...() is the order of events that the trace must hold.
 */
#ifndef PM_H
#define PM_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: %s failed: %s\n", __FILE__, __LINE__, #condition, strerror(errno)); \
			exit(99); \
		} \
	} while (0)

/* Prints a line; at the end of the program, for the C library's locks would be among the events. */
static inline void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static char say_text[1 << 16];
static size_t say_length;
static inline void say(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	say_length += (size_t)vsnprintf(say_text + say_length, sizeof say_text - say_length, format, arguments);
	va_end(arguments);
	CHECK(say_length + 2 < sizeof say_text);
	say_text[say_length++] = '\n';
}
static inline void say_all(void)
{
	CHECK(write(1, say_text, say_length) == (ssize_t)say_length);
}

static inline int make_file(const char *path, off_t size)
{
	int fd = open(path, O_CREAT | O_RDWR, 0644);
	CHECK(fd >= 0);
	CHECK(ftruncate(fd, size) == 0);
	return fd;
}

static inline char *map_fd(int fd, size_t size, off_t offset)
{
	char *p = (char *)mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
	CHECK(p != MAP_FAILED);
	return p;
}

static inline char *map_file(const char *path, size_t size)
{
	int fd = make_file(path, (off_t)size);
	char *p = map_fd(fd, size, 0);
	close(fd);
	return p;
}

static inline void flush(const void *p)
{
	__asm__ volatile("clflush %0" ::"m"(*(const char *)p) : "memory");
}
static inline void fence(void)
{
	__asm__ volatile("sfence" ::: "memory");
}
static inline void persist(const void *p)
{
	flush(p);
	fence();
}

#endif
