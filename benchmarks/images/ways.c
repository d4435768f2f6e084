/* SPDX-License-Identifier: Apache-2.0
 *
 * What it costs to bring a directory back after a recovery, by several ways, on one file of MIB mebibytes in DIRECTORY
 * of which everything is allocated. Best of ten, in milliseconds of processor time: nothing here waits, so that is the
 * time it takes on a machine that does nothing else.
 *
 *   ways DIRECTORY MIB
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/fs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "../../pm-image-manager/native/page_hash.h"

#define ROUNDS 10
#define BATCH (16 * PAGE_SIZE)

static size_t size;
static int model, image;
static const char *copy_name;
static volatile uint64_t sink;

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static void check(int good, const char *what)
{
	if (!good) {
		perror(what);
		exit(1);
	}
}

static int fresh_file(void)
{
	unlink(copy_name);
	int fd = open(copy_name, O_RDWR | O_CREAT | O_EXCL, 0600);
	check(fd >= 0, copy_name);
	return fd;
}

static int copy_range(void)
{
	int to = fresh_file();
	loff_t from_offset = 0;
	size_t left = size;
	while (left > 0) {
		ssize_t count = copy_file_range(model, &from_offset, to, NULL, left, 0);
		check(count > 0, "copy_file_range");
		left -= count;
	}
	close(to);
	unlink(copy_name);
	return 1;
}

static int copy_by_hand(void)
{
	static char buffer[256 * 1024];
	int to = fresh_file();
	for (size_t offset = 0; offset < size; offset += sizeof buffer) {
		ssize_t count = pread(model, buffer, sizeof buffer, offset);
		check(count > 0 && pwrite(to, buffer, count, offset) == count, "copy");
	}
	close(to);
	unlink(copy_name);
	return 1;
}

static int reflink(void)
{
	int to = fresh_file();
	int good = ioctl(to, FICLONE, model) == 0;
	close(to);
	unlink(copy_name);
	return good;
}

static int overwrite(void)
{
	static char buffer[256 * 1024];
	for (size_t offset = 0; offset < size; offset += sizeof buffer) {
		ssize_t count = pread(model, buffer, sizeof buffer, offset);
		check(count > 0 && pwrite(image, buffer, count, offset) == count, "overwrite");
	}
	return 1;
}

static int compare_reading(void)
{
	static char one[BATCH], other[BATCH];
	for (size_t offset = 0; offset < size; offset += BATCH) {
		check(pread(model, one, BATCH, offset) > 0 && pread(image, other, BATCH, offset) > 0, "pread");
		for (size_t page = 0; page < BATCH; page += PAGE_SIZE) {
			sink += memcmp(one + page, other + page, PAGE_SIZE) != 0;
		}
	}
	return 1;
}

static int compare_mapped(void)
{
	char *one = mmap(NULL, size, PROT_READ, MAP_SHARED | MAP_POPULATE, model, 0);
	char *other = mmap(NULL, size, PROT_READ, MAP_SHARED | MAP_POPULATE, image, 0);
	check(one != MAP_FAILED && other != MAP_FAILED, "mmap");
	for (size_t page = 0; page < size; page += PAGE_SIZE) {
		sink += memcmp(one + page, other + page, PAGE_SIZE) != 0;
	}
	munmap(one, size);
	munmap(other, size);
	return 1;
}

static char *lasting_model, *lasting_image;

static int compare_lasting(void)
{
	for (size_t page = 0; page < size; page += PAGE_SIZE) {
		sink += memcmp(lasting_model + page, lasting_image + page, PAGE_SIZE) != 0;
	}
	return 1;
}

static int overwrite_lasting(void)
{
	for (size_t offset = 0; offset < size; offset += 256 * 1024) {
		check(pwrite(image, lasting_model + offset, 256 * 1024, offset) > 0, "pwrite");
	}
	return 1;
}

static int read_only(void)
{
	static char buffer[BATCH];
	for (size_t offset = 0; offset < size; offset += BATCH) {
		check(pread(image, buffer, BATCH, offset) > 0, "pread");
	}
	return 1;
}

static int hash_reading(void)
{
	static char buffer[BATCH] __attribute__((aligned(64)));
	for (size_t offset = 0; offset < size; offset += BATCH) {
		check(pread(image, buffer, BATCH, offset) > 0, "pread");
		for (size_t page = 0; page < BATCH; page += PAGE_SIZE) {
			sink += hash_page(buffer + page).low;
		}
	}
	return 1;
}

static int hash_lasting(void)
{
	for (size_t page = 0; page < size; page += PAGE_SIZE) {
		sink += hash_page(lasting_image + page).low;
	}
	return 1;
}

static void measure(const char *name, int (*way)(void))
{
	double best = 1e9;
	for (int round = 0; round < ROUNDS; round++) {
		double start = now();
		if (!way()) {
			printf("%-66s  not on this file system\n", name);
			return;
		}
		double took = now() - start;
		best = took < best ? took : best;
	}
	printf("%-66s %7.2f ms\n", name, best);
}

static int make_file(const char *directory, const char *name)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", directory, name);
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	check(fd >= 0, path);
	unlink(path);
	uint64_t words[PAGE_SIZE / 8];
	for (size_t page = 0; page < size; page += PAGE_SIZE) {
		for (size_t word = 0; word < PAGE_SIZE / 8; word++) {
			words[word] = (page + word) * 0x9E3779B97F4A7C15u;
		}
		check(pwrite(fd, words, PAGE_SIZE, page) == PAGE_SIZE, "pwrite");
	}
	return fd;
}

int main(int count, char **arguments)
{
	if (count != 3) {
		fprintf(stderr, "usage: ways DIRECTORY MIB\n");
		return 2;
	}
	char name[4096];
	snprintf(name, sizeof name, "%s/ways-copy", arguments[1]);
	copy_name = name;
	size = (size_t)atoi(arguments[2]) << 20;
	model = make_file(arguments[1], "ways-model");
	image = make_file(arguments[1], "ways-image");
	printf("%zu MiB in %s\n", size >> 20, arguments[1]);
	measure("fresh copy each time, reflink (FICLONE)", reflink);
	measure("fresh copy each time, copy_file_range", copy_range);
	measure("fresh copy each time, pread + pwrite", copy_by_hand);
	measure("write all pages over", overwrite);
	measure("compare with the model, both mapped again", compare_mapped);
	measure("compare with the model, both read", compare_reading);
	measure("compare with hashes, read (what ImageWorkspace does)", hash_reading);
	measure("  of which reading", read_only);
	lasting_model = mmap(NULL, size, PROT_READ, MAP_SHARED | MAP_POPULATE, model, 0);
	lasting_image = mmap(NULL, size, PROT_READ, MAP_SHARED | MAP_POPULATE, image, 0);
	check(lasting_model != MAP_FAILED && lasting_image != MAP_FAILED, "mmap");
	measure("write all pages over, from a mapping of the model that lasts", overwrite_lasting);
	measure("compare with the model, mappings that last (SIGBUS when truncated)", compare_lasting);
	measure("compare with hashes, mapping that lasts (SIGBUS when truncated)", hash_lasting);
	return 0;
}
