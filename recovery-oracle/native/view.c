/* SPDX-License-Identifier: Apache-2.0 */
#include "view.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static sigjmp_buf escape;
static volatile sig_atomic_t is_in_view;

/* The file was truncated. */
static void on_bus_error(int signal)
{
	if (is_in_view)
		siglongjmp(escape, 1);
	struct sigaction usual = {.sa_handler = SIG_DFL};
	sigaction(signal, &usual, NULL);
	raise(signal);
}

static void handle_bus_errors(void)
{
	static bool is_done;
	struct sigaction action = {.sa_handler = on_bus_error, .sa_flags = SA_NODEFER};
	if (!is_done)
		sigaction(SIGBUS, &action, NULL);
	is_done = true;
}

void view_map(pid_t tid, int file, struct page *first, size_t count)
{
	char path[64];
	bool is_whole = true;
	for (size_t i = 0; i < count; i++)
		is_whole &= first[i].view != NULL;
	if (count == 0 || is_whole)
		return;
	handle_bus_errors();
	snprintf(path, sizeof path, "/proc/%d/fd/%d", tid, file);
	bool is_writable = true;
	int own = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (own < 0) {
		is_writable = false;
		own = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	}
	if (own < 0)
		return;
	uint64_t start = first->number * PAGE, size = first[count - 1].number * PAGE + PAGE - start;
	uint8_t *view = mmap(NULL, size, PROT_READ | (is_writable ? PROT_WRITE : 0), MAP_SHARED, own, (off_t)start);
	close(own);
	if (view == MAP_FAILED)
		return;
	for (size_t i = 0; i < count; i++)
		if (first[i].view == NULL) {
			first[i].view = view + (first[i].number * PAGE - start);
			first[i].is_view_writable = is_writable;
		}
}

/* Of one, two, four or eight bytes, all at once: others may look at them. */
static void copy(void *to, const void *from, unsigned size)
{
	switch (size) {
	case 1: *(volatile uint8_t *)to = *(const volatile uint8_t *)from; break;
	case 2: *(volatile uint16_t *)to = *(const volatile uint16_t *)from; break;
	case 4: *(volatile uint32_t *)to = *(const volatile uint32_t *)from; break;
	case 8: *(volatile uint64_t *)to = *(const volatile uint64_t *)from; break;
	default: memcpy(to, from, size); break;
	}
}

static bool copied(void *to, const void *from, unsigned size)
{
	if (sigsetjmp(escape, 0) != 0) {
		is_in_view = false;
		return false;
	}
	is_in_view = true;
	copy(to, from, size);
	is_in_view = false;
	return true;
}

bool view_read(const struct page *page, unsigned from, void *to, unsigned size)
{
	return page->view != NULL && from + size <= PAGE && copied(to, page->view + from, size);
}

bool view_write(const struct page *page, unsigned to, const void *from, unsigned size)
{
	return page->view != NULL && page->is_view_writable && to + size <= PAGE && copied(page->view + to, from, size);
}
