/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* fallocate */
#include "pool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inspect.h"

enum { BLOCK = 4096 };

/* Gives the blocks of a file back that hold nothing but zeroes. */
static void make_sparse(const char *path)
{
	static const char zeroes[BLOCK];
	char block[BLOCK];
	int file = open(path, O_RDWR);
	off_t at = 0;
	ssize_t length;

	if (file < 0)
		trouble("cannot open %s: %s", path, strerror(errno));
	while ((length = pread(file, block, sizeof(block), at)) > 0) {
		if (memcmp(block, zeroes, (size_t)length) == 0 &&
				fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at, length) != 0)
			break; /* a file system without holes: nothing is lost but space */
		at += length;
	}
	close(file);
}

PMEMobjpool *create_sparse_pool(const char *path, const char *layout, uint64_t mebibytes)
{
	PMEMobjpool *pop = pmemobj_create(path, layout, mebibytes << 20, 0600);

	if (pop == NULL)
		trouble("cannot create pool %s: %s", path, pmemobj_errormsg());
	pmemobj_close(pop);
	make_sparse(path);
	pop = pmemobj_open(path, layout);
	if (pop == NULL)
		trouble("cannot open pool %s: %s", path, pmemobj_errormsg());
	return pop;
}

uint64_t parse_number(const char *what, const char *text, uint64_t least)
{
	char *end;
	unsigned long long number;

	errno = 0;
	number = strtoull(text, &end, 10);
	if (errno != 0 || end == text || *end != '\0' || text[0] == '-' || number < least) {
		fprintf(stderr, "%s is '%s'; it must be a number of at least %lu\n", what, text, (unsigned long)least);
		exit(EXIT_USAGE);
	}
	return number;
}
