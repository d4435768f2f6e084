/*
 * Three functions write records, and a fourth one commits them: calls of fsync are missing.
 * "commit-sync run|check HABIT DIR"; HABIT is correct, or what is wrong: last (the functions write in one order),
 * any (in several orders), both (the third function has a file of its own, which lacks a call, too).
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 5, KINDS = 3, BLOCK = 4096 };

struct record {
	uint64_t kind, number, sum;
};

static int data, own, head;

static void write_at(int file, const void *bytes, size_t size, off_t offset)
{
	if (pwrite(file, bytes, size, offset) != (ssize_t)size)
		exit(3);
}

static off_t place(uint64_t number, uint64_t kind)
{
	return (off_t)(number * KINDS + kind) * BLOCK;
}

static void put(uint64_t number)
{
	struct record record = {0, number, ~number};
	write_at(data, &record, sizeof record, place(number, 0)); /* PUT */
}

static void erase(uint64_t number)
{
	struct record record = {1, number, ~number};
	write_at(data, &record, sizeof record, place(number, 1)); /* ERASE */
}

static void rename_to(uint64_t number)
{
	struct record record = {2, number, ~number};
	write_at(own, &record, sizeof record, place(number, 2)); /* RENAME */
}

static void commit(uint64_t count, int is_correct)
{
	if (is_correct) {
		fsync(data);
		if (own != data)
			fsync(own);
	}
	write_at(head, &count, sizeof count, 0);
	fsync(head);
}

static void run(const char *habit)
{
	for (uint64_t i = 0; i < ROUNDS; i++) {
		if (strcmp(habit, "any") == 0 && i % 3 == 1) {
			rename_to(i);
			put(i);
			erase(i);
		} else if (strcmp(habit, "any") == 0 && i % 3 == 2) {
			erase(i);
			rename_to(i);
			put(i);
		} else {
			put(i);
			erase(i);
			rename_to(i);
		}
		commit(i + 1, strcmp(habit, "correct") == 0);
	}
}

static int check(void)
{
	uint64_t count = 0;
	if (pread(head, &count, sizeof count, 0) < 0)
		return 2;
	for (uint64_t i = 0; i < count; i++)
		for (uint64_t kind = 0; kind < KINDS; kind++) {
			struct record record = {0};
			if (pread(kind == 2 ? own : data, &record, sizeof record, place(i, kind)) < 0)
				return 2;
			if (record.kind != kind || record.number != i || record.sum != ~i)
				return 3;
		}
	return 0;
}

static int file(const char *directory, const char *name)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", directory, name);
	int file = open(path, O_RDWR | O_CREAT, 0600);
	if (file < 0 || ftruncate(file, ROUNDS * KINDS * BLOCK) != 0)
		exit(4);
	return file;
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 5;
	head = file(argv[3], "head");
	data = file(argv[3], "data");
	own = strcmp(argv[2], "both") == 0 ? file(argv[3], "own") : data;
	if (strcmp(argv[1], "check") == 0)
		return check();
	run(argv[2]);
	return 0;
}
