/* SPDX-License-Identifier: Apache-2.0 */
#include "mappings.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define LONGEST_LINE 4400

/* Reads a hexadecimal number; what follows it, and one letter more, is next. */
static uint64_t number(const char **text)
{
	uint64_t value = 0;
	for (;; ++*text) {
		char letter = **text;
		if (letter >= '0' && letter <= '9')
			value = value * 16 + (uint64_t)(letter - '0');
		else if (letter >= 'a' && letter <= 'f')
			value = value * 16 + (uint64_t)(letter - 'a') + 10;
		else
			break;
	}
	if (**text != '\0')
		++*text;
	return value;
}

/* A line is BEGIN-END MODE OFFSET DEVICE INODE PATH. */
static bool is_in(const char *line, uintptr_t address, char *path, size_t size, uint64_t *offset)
{
	uintptr_t begin = number(&line), end = number(&line);
	const char *name = strchr(line, '/'), *skipped = strchr(line, ' ');
	if (address < begin || address >= end || name == NULL || skipped == NULL || strlen(name) >= size)
		return false;
	skipped++;
	*offset = number(&skipped) + (address - begin);
	strcpy(path, name);
	return true;
}

typedef bool line_visitor(const char *line, void *argument);

/* Until a visitor returns true. */
static bool each_line(line_visitor *visitor, void *argument)
{
	int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return false;
	char buffer[LONGEST_LINE];
	size_t used = 0;
	bool found = false;
	for (;;) {
		ssize_t part = read(file, buffer + used, sizeof buffer - 1 - used);
		if (part <= 0)
			break;
		used += (size_t)part;
		buffer[used] = '\0';
		char *line = buffer;
		for (char *end; !found && (end = strchr(line, '\n')) != NULL; line = end + 1) {
			*end = '\0';
			found = visitor(line, argument);
		}
		used -= (size_t)(line - buffer);
		memmove(buffer, line, used);
		if (found || used == sizeof buffer - 1)
			break;
	}
	close(file);
	return found;
}

struct search {
	uintptr_t address;
	char *path;
	size_t size;
	uint64_t *offset;
};

static bool is_searched(const char *line, void *argument)
{
	const struct search *search = argument;
	return is_in(line, search->address, search->path, search->size, search->offset);
}

bool mapping_at(uintptr_t address, char *path, size_t size, uint64_t *offset)
{
	return each_line(is_searched, &(struct search){address, path, size, offset});
}

struct writable {
	mapping_visitor *visitor;
	void *argument;
};

static bool visit_writable(const char *line, void *argument)
{
	const struct writable *writable = argument;
	uintptr_t begin = number(&line), end = number(&line);
	if (strncmp(line, "rw-p ", 5) == 0)
		writable->visitor(begin, end, strchr(line, '/') != NULL, writable->argument);
	return false;
}

void mappings_each_writable(mapping_visitor *visitor, void *argument)
{
	each_line(visit_writable, &(struct writable){visitor, argument});
}
