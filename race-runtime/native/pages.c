/* SPDX-License-Identifier: Apache-2.0 */
#include "pages.h"

#include "spin.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BLOCK (1 << 20)
#define LEAST 16
#define CLASSES 13 /* 16 bytes to 64 KiB */
#define OWN_CLASSES 5 /* to 256 bytes */
#define MOST_OWN 64

struct free_piece {
	struct free_piece *next;
};

static struct lone_spin lock;
static char *block;
static size_t left;
static struct free_piece *pieces[CLASSES];

/* Small ones that a thread gave back and may take again without the lock. */
static __thread struct {
	struct free_piece *first;
	unsigned count;
} own[CLASSES]; /* only of the first OWN_CLASSES */

void *pages_reserve(size_t size)
{
	/* Not mmap(), for which the runtime stands too. */
	void *memory = (void *)syscall(SYS_mmap, NULL, size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED) {
		static const char message[] = "powercut: no address space is left for the race detector\n";
		if (write(2, message, sizeof message - 1) < 0)
			_exit(127);
		_exit(127);
	}
	madvise(memory, size, MADV_DONTDUMP);
	madvise(memory, size, MADV_NOHUGEPAGE);
	return memory;
}

static void *carve(size_t size)
{
	if (size > left) {
		block = pages_reserve(BLOCK);
		left = BLOCK;
	}
	void *memory = block;
	block += size;
	left -= size;
	return memory;
}

void *pages_keep(size_t size)
{
	size = (size + LEAST - 1) & ~(size_t)(LEAST - 1);
	if (size >= BLOCK)
		return pages_reserve(size);
	spin_lock(&lock.spin);
	void *memory = carve(size);
	spin_unlock(&lock.spin);
	return memory;
}

static unsigned class_of(size_t size)
{
	unsigned class = 0;
	while ((size_t)LEAST << class < size)
		class ++;
	return class;
}

void *pages_take(size_t size)
{
	unsigned class = class_of(size);
	struct free_piece *piece = own[class].first;
	if (piece != NULL) {
		own[class].first = piece->next;
		own[class].count--;
	} else {
		spin_lock(&lock.spin);
		piece = pieces[class];
		if (piece == NULL) {
			void *memory = carve((size_t)LEAST << class);
			spin_unlock(&lock.spin);
			return memory;
		}
		pieces[class] = piece->next;
		spin_unlock(&lock.spin);
	}
	memset(piece, 0, (size_t)LEAST << class);
	return piece;
}

void pages_give(void *memory, size_t size)
{
	if (memory == NULL)
		return;
	unsigned class = class_of(size);
	struct free_piece *piece = memory;
	if (class < OWN_CLASSES && own[class].count < MOST_OWN) {
		piece->next = own[class].first;
		own[class].first = piece;
		own[class].count++;
		return;
	}
	spin_lock(&lock.spin);
	piece->next = pieces[class];
	pieces[class] = piece;
	spin_unlock(&lock.spin);
}

void pages_thread_end(void)
{
	spin_lock(&lock.spin);
	for (unsigned class = 0; class < OWN_CLASSES; class ++)
		while (own[class].first != NULL) {
			struct free_piece *piece = own[class].first;
			own[class].first = piece->next;
			piece->next = pieces[class];
			pieces[class] = piece;
		}
	spin_unlock(&lock.spin);
	memset(own, 0, sizeof own);
}

void pages_return(void *memory, size_t size)
{
	syscall(SYS_munmap, memory, size);
}

void pages_after_fork(void)
{
	spin_unlock(&lock.spin);
}
