/* SPDX-License-Identifier: Apache-2.0 */
#include "space.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

struct space *space_new(void)
{
	struct space *space = calloc(1, sizeof *space);
	if (space == NULL)
		errx(2, "no memory");
	space->tasks = 1;
	return space;
}

struct space *space_executing(const struct space *space)
{
	struct space *next = space_new();
	memcpy(next->filtered, space->filtered, sizeof next->filtered);
	next->filtered_count = space->filtered_count;
	return next;
}

struct space *space_copy(const struct space *space)
{
	struct space *copy = space_new();
	*copy = *space;
	copy->tasks = 1;
	copy->room = space->count;
	copy->mapped = malloc(space->count * sizeof *copy->mapped + 1);
	if (copy->mapped == NULL)
		errx(2, "no memory");
	memcpy(copy->mapped, space->mapped, space->count * sizeof *copy->mapped);
	return copy;
}

void space_leave(struct space *space)
{
	if (--space->tasks == 0) {
		free(space->mapped);
		free(space);
	}
}

struct mapped *space_from(const struct space *space, uint64_t address)
{
	size_t low = 0, high = space->count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (space->mapped[middle].address + PAGE <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return space->mapped + low;
}

struct mapped *space_at(const struct space *space, uint64_t address)
{
	struct mapped *found = space_from(space, address);
	return found < space->mapped + space->count && found->address <= address ? found : NULL;
}

void space_add(struct space *space, struct mapped mapped)
{
	if (space->count == space->room) {
		space->room = space->room * 2 + 64;
		space->mapped = realloc(space->mapped, space->room * sizeof *space->mapped);
		if (space->mapped == NULL)
			errx(2, "no memory");
	}
	struct mapped *place = space_from(space, mapped.address);
	memmove(place + 1, place, (char *)(space->mapped + space->count) - (char *)place);
	*place = mapped;
	space->count++;
}

void space_remove(struct space *space, uint64_t address, uint64_t size)
{
	struct mapped *first = space_from(space, address), *last = first, *end = space->mapped + space->count;
	while (last < end && last->address < address + size)
		last++;
	memmove(first, last, (char *)end - (char *)last);
	space->count -= last - first;
}

typedef void noting(struct page *page, unsigned from, unsigned size);

/* Notes the range in each page that it has bytes of. */
static void note(struct space *space, uint64_t address, uint64_t size, noting *how, bool is_in_files_alone)
{
	for (struct mapped *one = space_from(space, address); one < space->mapped + space->count; one++) {
		if (one->address >= address + size)
			return;
		uint64_t from = address > one->address ? address - one->address : 0;
		uint64_t end = address + size - one->address < PAGE ? address + size - one->address : PAGE;
		if (one->is_shared || !is_in_files_alone)
			how(one->page, from, end - from);
	}
}

void space_read(struct space *space, uint64_t address, uint64_t size)
{
	note(space, address, size, lines_read, false);
}

/* What is stored to a private mapping the file does not get. */
void space_stored(struct space *space, uint64_t address, uint64_t size)
{
	note(space, address, size, lines_stored, true);
}
