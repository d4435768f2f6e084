/*
 * A ledger that acknowledges each entry:
 *   ledger run HABIT PMDIR OUT          HABIT: correct; early (acknowledges, then stores); unflushed (never flushes);
 *                                       unfenced (acknowledges between flush and fence);
 *                                       ahead (acknowledges entry 2 with the files as before any acknowledgement)
 *                                       OUT: 1, 2, 0 (powercut.h), or a file; whichever of 1 and 2 is not OUT
 *                                       gets noise
 *   ledger check PMDIR [ACKNOWLEDGED]   what was acknowledged must be there, and at most one more; spoils ACKNOWLEDGED
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../../../include/powercut.h"

#define LINE 64
#define ENTRIES 6

struct ledger {
	uint64_t count;
	uint8_t rest[LINE - sizeof(uint64_t)];
	struct {
		uint64_t value;
		uint8_t rest[LINE - sizeof(uint64_t)];
	} entries[ENTRIES];
};

static void fail(const char *what)
{
	perror(what);
	exit(2);
}

static struct ledger *map(const char *directory)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/ledger", directory);
	int descriptor = open(path, O_RDWR | O_CREAT, 0644);
	if (descriptor < 0 || ftruncate(descriptor, sizeof(struct ledger)) != 0)
		fail(path);
	void *start = mmap(NULL, sizeof(struct ledger), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
	if (start == MAP_FAILED)
		fail(path);
	close(descriptor);
	return start;
}

#define PERSIST(p) __asm__ volatile("clwb (%0)\n\tsfence" : : "r"(p) : "memory")

static void acknowledge(int out, unsigned number)
{
	char line[32];
	int length = snprintf(line, sizeof line, "entry %u\n", number);
	if (out == 0) {
		powercut_acknowledge_bytes(line, (size_t)length - 1);
		return;
	}
	if (write(out, line, (size_t)length) != length || write(out == 1 ? 2 : 1, "noise\n", 6) != 6)
		fail("write");
}

__attribute__((noinline)) static void add_entry(struct ledger *ledger, unsigned i)
{
	ledger->entries[i].value = i + 1;
	PERSIST(&ledger->entries[i]);
}

__attribute__((noinline)) static void count_entry(struct ledger *ledger, unsigned i, int flushed)
{
	ledger->count = i + 1;
	if (flushed)
		PERSIST(&ledger->count);
}

__attribute__((noinline)) static void count_unfenced(struct ledger *ledger, unsigned i, int out)
{
	ledger->count = i + 1;
	__asm__ volatile("clwb (%0)" : : "r"(&ledger->count) : "memory");
	acknowledge(out, i + 1);
	__asm__ volatile("sfence" : : : "memory");
}

__attribute__((noinline)) static void count_again(struct ledger *ledger)
{
	*(volatile uint64_t *)&ledger->count = ledger->count;
	PERSIST(&ledger->count);
}

static int run(const char *habit, struct ledger *ledger, const char *to)
{
	int early = strcmp(habit, "early") == 0;
	int ahead = strcmp(habit, "ahead") == 0;
	int out = strlen(to) == 1 ? atoi(to) : open(to, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	for (unsigned i = 0; i < ENTRIES; i++) {
		if (early)
			acknowledge(out, i + 1);
		add_entry(ledger, i);
		if (strcmp(habit, "unfenced") == 0) {
			count_unfenced(ledger, i, out);
			continue;
		}
		count_entry(ledger, i, strcmp(habit, "unflushed") != 0);
		if (!early && !(ahead && i == 1))
			acknowledge(out, i + 1);
		if (ahead && i == 0) {
			acknowledge(out, 2);
			count_again(ledger);
		}
	}
	return 0;
}

static const char *variable(const char *name)
{
	const char *value = getenv(name);
	return value == NULL ? "" : value;
}

static unsigned acknowledged(const char *file)
{
	char text[4096], expected[4096] = "";
	FILE *stream = fopen(file, "r");
	unsigned lines = 0;
	if (stream == NULL)
		fail(file);
	size_t size = fread(text, 1, sizeof text - 1, stream);
	text[size] = 0;
	fclose(stream);
	while (strlen(expected) < size)
		sprintf(expected + strlen(expected), "entry %u\n", ++lines);
	if (strcmp(text, expected) != 0 || strcmp(variable("POWERCUT_ACKNOWLEDGED"), file) != 0 ||
			strtoul(variable("POWERCUT_ACKNOWLEDGED_BYTES"), NULL, 10) != size ||
			strtoul(variable("POWERCUT_ACKNOWLEDGED_LINES"), NULL, 10) != lines) {
		printf("not what was acknowledged: '%s' in %s\n", text, file);
		exit(3);
	}
	return lines;
}

static void spoil(const char *file, unsigned lines)
{
	int descriptor = open(file, O_WRONLY);
	if (descriptor < 0 || write(descriptor, "X", 1) != 1)
		fail(file);
	if (lines % 3 == 1 && ftruncate(descriptor, 1) != 0)
		fail(file);
	if (lines % 3 == 2 && (unlink(file) != 0 || mkdir(file, 0755) != 0))
		fail(file);
	close(descriptor);
}

static int check(const struct ledger *ledger, const char *file)
{
	for (unsigned i = 0; i < ledger->count; i++) {
		if (ledger->entries[i].value != i + 1) {
			printf("entry %u is damaged\n", i + 1);
			return 1;
		}
	}
	if (file == NULL)
		return 0;
	unsigned lines = acknowledged(file);
	spoil(file, lines);
	if (ledger->count < lines || ledger->count > lines + 1) {
		printf("%u were acknowledged, %lu are there\n", lines, ledger->count);
		return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 5 && strcmp(argv[1], "run") == 0)
		return run(argv[2], map(argv[3]), argv[4]);
	if (argc < 3 || strcmp(argv[1], "check") != 0)
		return 2;
	return check(map(argv[2]), argc == 4 ? argv[3] : NULL);
}
