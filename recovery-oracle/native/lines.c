/* SPDX-License-Identifier: Apache-2.0 */
#include "lines.h"

#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct lines_header *header;
static struct page *pages; /* sorted */
static size_t page_count;
static uint64_t last_turn;
static struct node *nodes;
static bool is_followed;

static int compare(const struct page *left, const struct page *right)
{
	if (left->device != right->device)
		return left->device < right->device ? -1 : 1;
	if (left->inode != right->inode)
		return left->inode < right->inode ? -1 : 1;
	return left->number < right->number ? -1 : left->number > right->number;
}

static int compare_lines(const void *left, const void *right)
{
	const struct line *one = *(struct line *const *)left, *other = *(struct line *const *)right;
	struct page first = {.device = one->device, .inode = one->inode, .number = one->offset};
	struct page second = {.device = other->device, .inode = other->inode, .number = other->offset};
	return compare(&first, &second);
}

static bool is_settled(const struct page *page, unsigned number)
{
	const struct line *line = page->lines[number];
	return line == NULL || (line->bytes & ~line->read & ~page->stored[number]) == 0;
}

static void index_lines(void)
{
	struct line *line = (struct line *)(header + 1);
	struct line **sorted = calloc(header->count + 1, sizeof *sorted);
	pages = calloc(header->count + 1, sizeof *pages);
	if (sorted == NULL || pages == NULL)
		errx(2, "no memory for %u lines", header->count);
	for (uint32_t i = 0; i < header->count; i++)
		sorted[i] = &line[i];
	qsort(sorted, header->count, sizeof *sorted, compare_lines);
	for (uint32_t i = 0; i < header->count; i++) {
		struct page key = {.device = sorted[i]->device, .inode = sorted[i]->inode, .number = sorted[i]->offset / PAGE};
		if (page_count == 0 || compare(&pages[page_count - 1], &key) != 0)
			pages[page_count++] = key;
		struct page *page = &pages[page_count - 1];
		unsigned place = sorted[i]->offset % PAGE / LINE;
		if (page->lines[place] != NULL)
			errx(2, "a line is named twice");
		page->lines[place] = sorted[i];
		page->unsettled += !is_settled(page, place);
		if (sorted[i]->turn > last_turn)
			last_turn = sorted[i]->turn; /* of a command before this one */
		page->most_traps = header->traps > 0 ? header->traps : MOST_TRAPS + page->unsettled * MOST_TRAPS_OF_LINE;
	}
	free(sorted);
}

void lines_open(const char *path)
{
	int file = open(path, O_RDWR | O_CLOEXEC);
	struct stat status;
	if (file < 0 || fstat(file, &status) != 0)
		err(2, "%s", path);
	if ((size_t)status.st_size < sizeof *header)
		errx(2, "%s: no list of lines", path);
	header = mmap(NULL, status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (header == MAP_FAILED)
		err(2, "%s", path);
	close(file);
	if (header->magic != LINES_MAGIC ||
			status.st_size !=
					(off_t)(sizeof *header + header->count * sizeof(struct line) + header->room * sizeof(struct node)))
		errx(2, "%s: no list of lines", path);
	nodes = (struct node *)((struct line *)(header + 1) + header->count);
	is_followed = header->room > 0 && header->followed == 0 && header->nodes == 0;
	index_lines();
}

/* The first page that is not before this one. */
static size_t at_least(uint64_t device, uint64_t inode, uint64_t number)
{
	struct page key = {.device = device, .inode = inode, .number = number};
	size_t low = 0, high = page_count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (compare(&pages[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_of(const struct page *page, uint64_t device, uint64_t inode)
{
	return page->device == device && page->inode == inode;
}

struct page *lines_pages(uint64_t device, uint64_t inode, uint64_t number, size_t *count)
{
	size_t first = at_least(device, inode, number), end = first;
	while (end < page_count && is_of(&pages[end], device, inode))
		end++;
	*count = end - first;
	return *count == 0 ? NULL : &pages[first];
}

bool lines_is_watched(const struct stat *file)
{
	size_t count;
	return lines_pages(file->st_dev, file->st_ino, 0, &count) != NULL;
}

bool lines_is_open(const struct page *page)
{
	return page->unsettled == 0;
}

static void line_is_read(struct page *page, unsigned number, uint64_t bytes)
{
	struct line *line = page->lines[number];
	if (line == NULL)
		return;
	uint64_t more = bytes & line->bytes & ~line->read & ~page->stored[number];
	if (more == 0)
		return;
	if (line->turn == 0)
		line->turn = ++last_turn;
	line->read |= more;
	if (is_settled(page, number))
		page->unsettled--;
}

/* A bit for each byte of a line. */
static uint64_t mask(unsigned line, unsigned from, unsigned end)
{
	unsigned first = from > line * LINE ? from - line * LINE : 0;
	unsigned last = end < (line + 1) * LINE ? end - line * LINE : LINE;
	uint64_t up_to = last == LINE ? ~0ULL : (1ULL << last) - 1;
	return up_to & ~((1ULL << first) - 1);
}

void lines_read(struct page *page, unsigned from, unsigned size)
{
	unsigned end = size > PAGE - from ? PAGE : from + size;
	for (unsigned line = from / LINE; line * LINE < end; line++)
		line_is_read(page, line, mask(line, from, end));
}

static void line_is_stored(struct page *page, unsigned number, uint64_t bytes)
{
	bool was_settled = is_settled(page, number);
	page->stored[number] |= bytes;
	if (!was_settled && is_settled(page, number))
		page->unsettled--;
}

void lines_stored(struct page *page, unsigned from, unsigned size)
{
	unsigned end = size > PAGE - from ? PAGE : from + size;
	for (unsigned line = from / LINE; line * LINE < end; line++)
		line_is_stored(page, line, mask(line, from, end));
}

uint64_t lines_loaded(struct page *page, unsigned from, unsigned size, uint32_t *number)
{
	struct line *line = page->lines[from / LINE];
	uint64_t bytes = mask(from / LINE, from, from + size);
	if (line == NULL || from / LINE != (from + size - 1) / LINE)
		return 0;
	bytes &= line->bytes & ~line->read & ~page->stored[from / LINE];
	if (bytes != 0 && line->turn == 0)
		line->turn = ++last_turn;
	*number = line - (struct line *)(header + 1);
	return bytes >> from % LINE;
}

void lines_are_read(uint32_t number, unsigned from, uint64_t bytes)
{
	struct line *line = (struct line *)(header + 1) + number;
	size_t count;
	struct page *page = lines_pages(line->device, line->inode, line->offset / PAGE, &count);
	unsigned place = line->offset % PAGE / LINE;
	bool was_settled = is_settled(page, place);
	line->read |= bytes << from & line->bytes; /* although they may have been overwritten meanwhile */
	if (!was_settled && is_settled(page, place))
		page->unsettled--;
}

uint32_t lines_node(struct node node)
{
	if (header->nodes == header->room)
		return 0;
	nodes[header->nodes] = node;
	return ++header->nodes;
}

struct node *lines_node_at(uint32_t number)
{
	return &nodes[number - 1];
}

uint32_t lines_node_count(void)
{
	return header->nodes;
}

bool lines_is_followed(void)
{
	return is_followed;
}

bool lines_is_busy(struct page *page)
{
	static unsigned traps_of_all;
	unsigned most = header->traps > 0 ? header->traps : MOST_TRAPS_OF_ALL;
	bool is_busy = ++page->traps > page->most_traps;
	is_busy |= ++traps_of_all > most;
	header->busy += is_busy;
	return is_busy;
}

void lines_wrong(void)
{
	header->wrong++;
}

void lines_all_read(struct page *page)
{
	for (unsigned line = 0; line < LINES_OF_PAGE; line++)
		line_is_read(page, line, ~0ULL);
}

void lines_file_read(uint64_t device, uint64_t inode, uint64_t from, uint64_t size)
{
	if (size == 0)
		return;
	uint64_t end = size > UINT64_MAX - from ? UINT64_MAX : from + size;
	size_t count;
	struct page *page = lines_pages(device, inode, from / PAGE, &count);
	for (; count > 0 && page->number * PAGE < end; page++, count--) {
		uint64_t start = page->number * PAGE;
		uint64_t first = from > start ? from - start : 0;
		uint64_t last = end - start < PAGE ? end - start : PAGE;
		lines_read(page, first, last - first);
	}
}

void lines_give_up(const char *reason)
{
	if (header->reason[0] == 0)
		snprintf(header->reason, sizeof header->reason, "%s", reason);
	for (size_t i = 0; i < page_count; i++)
		lines_all_read(&pages[i]);
}

void lines_known(void)
{
	for (size_t i = 0; i < page_count; i++)
		for (unsigned line = 0; line < LINES_OF_PAGE; line++)
			if (pages[i].lines[line] != NULL)
				pages[i].lines[line]->traps += pages[i].traps;
	header->followed++;
}
