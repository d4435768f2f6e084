/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the C library that read or write memory which the program gives them: text, files, pipes and sockets. */
#include "detector.h"
#include "interpose.h"
#include "memory.h"
#include "start.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

/* What is read of a text of at most so many bytes: its end, too, if it is among them. */
static size_t read_of(const char *text, size_t most)
{
	size_t length = strnlen(text, most);
	return length < most ? length + 1 : most;
}

REAL(size_t, strlen, const char *)
EXPORT size_t strlen(const char *text)
{
	size_t length = real_strlen()(text);
	memory_used(text, length + 1, ACCESS_READ, SITE_HERE);
	return length;
}

EXPORT int strcmp(const char *one, const char *other)
{
	size_t same = 0;
	while (one[same] == other[same] && one[same] != '\0')
		same++;
	memory_used(one, same + 1, ACCESS_READ, SITE_HERE);
	memory_used(other, same + 1, ACCESS_READ, SITE_HERE);
	return (unsigned char)one[same] - (unsigned char)other[same];
}

EXPORT int strncmp(const char *one, const char *other, size_t most)
{
	size_t same = 0;
	while (same < most && one[same] == other[same] && one[same] != '\0')
		same++;
	size_t used = same < most ? same + 1 : most;
	memory_used(one, used, ACCESS_READ, SITE_HERE);
	memory_used(other, used, ACCESS_READ, SITE_HERE);
	return same == most ? 0 : (unsigned char)one[same] - (unsigned char)other[same];
}

/* Compilers may read all bytes, so all count. */
REAL(int, memcmp, const void *, const void *, size_t)
EXPORT int memcmp(const void *one, const void *other, size_t size)
{
	memory_used(one, size, ACCESS_READ, SITE_HERE);
	memory_used(other, size, ACCESS_READ, SITE_HERE);
	return real_memcmp()(one, other, size);
}

#define COPIES(name) \
	REAL(char *, name, char *, const char *) \
	EXPORT char *name(char *restrict to, const char *restrict from) \
	{ \
		size_t size = read_of(from, (size_t)-1); \
		memory_used(from, size, ACCESS_READ, SITE_HERE); \
		memory_used(to, size, ACCESS_WRITE, SITE_HERE); \
		return real_##name()(to, from); \
	}

COPIES(strcpy)
COPIES(stpcpy)

REAL(char *, strncpy, char *, const char *, size_t)
EXPORT char *strncpy(char *restrict to, const char *restrict from, size_t size)
{
	memory_used(from, read_of(from, size), ACCESS_READ, SITE_HERE);
	memory_used(to, size, ACCESS_WRITE, SITE_HERE);
	return real_strncpy()(to, from, size);
}

REAL(char *, strcat, char *, const char *)
EXPORT char *strcat(char *restrict to, const char *restrict from)
{
	size_t size = read_of(from, (size_t)-1), before = strnlen(to, (size_t)-1);
	memory_used(from, size, ACCESS_READ, SITE_HERE);
	memory_used(to, before, ACCESS_READ, SITE_HERE);
	memory_used(to + before, size, ACCESS_WRITE, SITE_HERE);
	return real_strcat()(to, from);
}

/* How many bytes it writes is known behind it. */
static int printed(char *to, size_t room, int length, struct site site)
{
	if (length >= 0 && room > 0)
		memory_used(to, (size_t)length < room ? (size_t)length + 1 : room, ACCESS_WRITE, site);
	return length;
}

REAL(int, vsnprintf, char *, size_t, const char *, va_list)
EXPORT int vsnprintf(char *restrict to, size_t room, const char *restrict format, va_list arguments)
{
	return printed(to, room, real_vsnprintf()(to, room, format, arguments), SITE_HERE);
}

EXPORT int snprintf(char *restrict to, size_t room, const char *restrict format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	int length = real_vsnprintf()(to, room, format, arguments);
	va_end(arguments);
	return printed(to, room, length, SITE_HERE);
}

EXPORT int sprintf(char *restrict to, const char *restrict format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	int length = real_vsnprintf()(to, (size_t)-1 >> 1, format, arguments);
	va_end(arguments);
	return printed(to, (size_t)-1 >> 1, length, SITE_HERE);
}

static char local_sockets;

/*
 * What threads synchronise over when one sends and another one receives. Both ends of a pipe have one inode; which local
 * sockets belong together is not known. NULL: another process is at the other end, or nobody.
 */
static const void *channel(int file)
{
	struct thread *me = watched();
	struct stat about;
	if (me == NULL || !atomic_load_explicit(&several, memory_order_relaxed))
		return NULL;
	int error = errno, domain = 0;
	socklen_t size = sizeof domain;
	const void *found = NULL;
	if (fstat(file, &about) != 0)
		found = NULL;
	else if (S_ISFIFO(about.st_mode))
		found = (const void *)((uintptr_t)1 << 60 | (uintptr_t)about.st_ino);
	else if (S_ISSOCK(about.st_mode) && getsockopt(file, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0)
		found = domain == AF_UNIX ? &local_sockets : NULL;
	else if ((about.st_mode & S_IFMT) == 0) /* eventfd and the like */
		found = (const void *)((uintptr_t)1 << 59 | (uintptr_t)file);
	errno = error;
	return found;
}

static void will_send(int file)
{
	const void *object = channel(file);
	if (object != NULL)
		order_release(object);
}

static void has_received(int file)
{
	const void *object = channel(file);
	if (object != NULL)
		order_acquire(object);
}

static ssize_t received(int file, void *to, ssize_t size, struct site site)
{
	if (size >= 0)
		has_received(file);
	if (size > 0)
		memory_used(to, (size_t)size, ACCESS_WRITE, site);
	return size;
}

static ssize_t sent(const void *from, ssize_t size, struct site site)
{
	if (size > 0)
		memory_used(from, (size_t)size, ACCESS_READ, site);
	return size;
}

#define RECEIVES(name, parameters, arguments, types) \
	REAL(ssize_t, name, TYPES types) \
	EXPORT ssize_t name(PARAMETERS parameters) \
	{ \
		return received(file, to, real_##name()(ARGUMENTS arguments), SITE_HERE); \
	}

#define SENDS(name, parameters, arguments, types) \
	REAL(ssize_t, name, TYPES types) \
	EXPORT ssize_t name(PARAMETERS parameters) \
	{ \
		will_send(file); \
		return sent(from, real_##name()(ARGUMENTS arguments), SITE_HERE); \
	}

#define TYPES(...) __VA_ARGS__
#define PARAMETERS(...) __VA_ARGS__
#define ARGUMENTS(...) __VA_ARGS__

RECEIVES(read, (int file, void *to, size_t size), (file, to, size), (int, void *, size_t))
RECEIVES(pread, (int file, void *to, size_t size, off_t offset), (file, to, size, offset), (int, void *, size_t, off_t))
RECEIVES(recv, (int file, void *to, size_t size, int flags), (file, to, size, flags), (int, void *, size_t, int))
SENDS(write, (int file, const void *from, size_t size), (file, from, size), (int, const void *, size_t))
SENDS(pwrite, (int file, const void *from, size_t size, off_t offset), (file, from, size, offset),
		(int, const void *, size_t, off_t))
SENDS(send, (int file, const void *from, size_t size, int flags), (file, from, size, flags),
		(int, const void *, size_t, int))

REAL(int, eventfd_write, int, eventfd_t)
EXPORT int eventfd_write(int file, eventfd_t value)
{
	will_send(file);
	return real_eventfd_write()(file, value);
}

REAL(int, eventfd_read, int, eventfd_t *)
EXPORT int eventfd_read(int file, eventfd_t *value)
{
	int result = real_eventfd_read()(file, value);
	if (result == 0)
		has_received(file);
	return result;
}

#define MESSAGE(name, before, after) \
	REAL(ssize_t, name, int, void *, int) \
	EXPORT ssize_t name(int file, MESSAGE_OF_##name *message, int flags) \
	{ \
		before; \
		ssize_t size = real_##name()(file, (void *)message, flags); \
		if (size >= 0) { \
			after; \
		} \
		return size; \
	}

#define MESSAGE_OF_sendmsg const struct msghdr
#define MESSAGE_OF_recvmsg struct msghdr
MESSAGE(sendmsg, will_send(file), )
MESSAGE(recvmsg, , has_received(file))
