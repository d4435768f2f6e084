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

bool mapping_at(uintptr_t address, char *path, size_t size, uint64_t *offset)
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
			found = is_in(line, address, path, size, offset);
		}
		used -= (size_t)(line - buffer);
		memmove(buffer, line, used);
		if (found || used == sizeof buffer - 1)
			break;
	}
	close(file);
	return found;
}
