// SPDX-License-Identifier: Apache-2.0
// A store that writes and synchronises by one helper. Its three callers do so in the wrong order if asked to, and
// recovery says the same each time.
//
//   synced-writes create|run|check HABIT PM     HABIT is "correct" or "mistaken"
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int fd, mistaken;
static void write_sync(const void *b, size_t n, off_t off)
{
	if (pwrite(fd, b, n, off) != (ssize_t)n)
		abort();
	if (fsync(fd))
		abort();
}
static void set_sync(off_t off, uint64_t v)
{
	write_sync(&v, sizeof v, off);
}
static uint64_t get(off_t off)
{
	uint64_t v = 0;
	if (pread(fd, &v, 8, off) < 0)
		abort();
	return v;
}
enum { A = 0, B = 4096, C = 8192 };
static void push(uint64_t i)
{
	off_t node = A + 64 + 64 * i;
	if (!mistaken)
		set_sync(node, i + 100);
	set_sync(A, i + 1);
	if (mistaken)
		set_sync(node, i + 100);
}
static void name(uint64_t i)
{
	off_t name = B + 64 + 64 * i;
	if (!mistaken)
		set_sync(name, i + 100);
	set_sync(B, i + 1);
	if (mistaken)
		set_sync(name, i + 100);
}
static void both(uint64_t i)
{
	if (mistaken) {
		set_sync(C + 8, i + 1);
		set_sync(C, i + 1);
	} else {
		set_sync(C, i + 1);
		set_sync(C + 8, i + 1);
	}
}
static int bad(const char *t)
{
	puts(t);
	return 1;
}
int main(int argc, char **argv)
{
	char path[4096];
	if (argc != 4)
		return 2;
	snprintf(path, sizeof path, "%s/store", argv[3]);
	fd = open(path, O_RDWR | O_CREAT, 0600);
	if (fd < 0)
		return 2;
	if (!strcmp(argv[1], "create"))
		return ftruncate(fd, 16384) || fsync(fd);
	if (!strcmp(argv[1], "run")) {
		mistaken = !strcmp(argv[2], "mistaken");
		for (uint64_t i = 0; i < 3; i++) {
			push(i);
			name(i);
			both(i);
		}
		return 0;
	}
	for (off_t base = A; base <= B; base += B)
		for (uint64_t i = 0; i < get(base); i++)
			if (get(base + 64 + 64 * i) != i + 100)
				return bad("an entry is missing");
	return get(C + 8) > get(C) ? bad("an entry is missing") : 0;
}
