/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions with the names and parameters of libpmemobj's, and others that check.py declares. What it says are the
 * records of allocations of its second thread, in their order: for an allocation the place in the file and the size.
 */
#include <pthread.h>
#include <setjmp.h>
#include <wchar.h>

#include "pm.h"

#define NOT_INLINED __attribute__((noipa))
#define PLACE 0x400
#define HEADER 16
#define CLASS (1ULL << 48)

typedef struct {
	uint64_t pool;
	uint64_t offset;
} Object;

static char *pool;
static jmp_buf aborted;

static void allocated(uint64_t offset, uint64_t size, int depth)
{
	say("allocated %#lx %lu %d", offset, size, depth);
}

/* ------------------------------------------------------- as in libpmemobj */

NOT_INLINED int pmemobj_tx_begin(void *of, void *environment, ...)
{
	return of == NULL || environment != NULL;
}

NOT_INLINED Object pmemobj_tx_alloc(size_t size, uint64_t type)
{
	if (type == 9)
		longjmp(aborted, 1);
	return (Object){1, size > 4096 ? 0 : PLACE + type};
}

NOT_INLINED Object pmemobj_tx_xalloc(size_t size, uint64_t type, uint64_t flags)
{
	return (Object){1 + flags, size > 4096 ? 0 : PLACE + type};
}

NOT_INLINED Object pmemobj_tx_realloc(Object object, size_t size, uint64_t type)
{
	return (Object){1, size > 100 ? PLACE + type : object.offset};
}

NOT_INLINED Object pmemobj_tx_strdup(const char *text, uint64_t type)
{
	return (Object){1, PLACE + type + strlen(text)};
}

NOT_INLINED Object pmemobj_tx_xwcsdup(const wchar_t *text, uint64_t type, uint64_t flags)
{
	return (Object){1 + flags, PLACE + type + wcslen(text)};
}

NOT_INLINED int pmemobj_alloc(void *of, Object *object, size_t size, uint64_t type, int (*constructor)(void *),
		void *argument)
{
	if (size > 4096 || of == NULL)
		return -1;
	*object = (Object){1, PLACE + type};
	return constructor == NULL ? 0 : constructor(argument);
}

NOT_INLINED int pmemobj_realloc(void *of, Object *object, size_t size, uint64_t type)
{
	if (of != NULL && size > 100)
		object->offset = PLACE + type;
	return 0;
}

NOT_INLINED Object pmemobj_reserve(void *of, void *action, size_t size, uint64_t type)
{
	return (Object){of == action, size > 4096 ? 0 : PLACE + type};
}

NOT_INLINED Object pmemobj_list_insert_new(void *of, size_t entry, void *head, Object other, int before, size_t size,
		int (*constructor)(void *), void *argument)
{
	return (Object){of == head || entry == 1 || before || constructor == argument, PLACE + other.offset + size};
}

static void of_libpmemobj(void)
{
	Object object = {0, 0};
	say("enters 0");
	CHECK(pmemobj_alloc(pool, &object, 48, 1, NULL, NULL) == 0);
	allocated(PLACE + 1 - HEADER, 48 + HEADER, 0);
	say("leaves 0");

	say("enters 0");
	CHECK(pmemobj_alloc(pool, &object, 5000, 1, NULL, NULL) == -1);
	say("leaves 0");

	say("enters 0");
	CHECK(pmemobj_realloc(pool, &object, 100, 7) == 0); /* stays */
	say("leaves 0");
	say("enters 0");
	CHECK(pmemobj_realloc(pool, &object, 101, 7) == 0);
	allocated(PLACE + 7 - HEADER, 101 + HEADER, 0);
	say("leaves 0");

	say("enters 0");
	pmemobj_reserve(pool, &object, 8, 2);
	allocated(PLACE + 2 - HEADER, 8 + HEADER, 0);
	say("leaves 0");
	say("enters 0");
	pmemobj_list_insert_new(pool, 8, pool + 8, (Object){1, 32}, 0, 24, NULL, NULL);
	allocated(PLACE + 32 + 24 - HEADER, 24 + HEADER, 0);
	say("leaves 0");
}

NOT_INLINED static void alloc_deeper(void)
{
	say("enters 0");
	pmemobj_tx_alloc(64, 0);
	allocated(0x1000 + PLACE - HEADER, 64 + HEADER, 0);
	say("leaves 0");
}

static void in_a_transaction(void)
{
	pmemobj_tx_begin(pool, NULL, NULL);
	say("enters 0");
	pmemobj_tx_alloc(64, 0);
	allocated(PLACE - HEADER, 64 + HEADER, 0);
	say("leaves 0");
	say("enters 0");
	pmemobj_tx_xalloc(64, 3, CLASS); /* which has no headers */
	allocated(PLACE + 3, 64, 0);
	say("leaves 0");
	say("enters 0");
	pmemobj_tx_xalloc(64, 3, 1);
	allocated(PLACE + 3 - HEADER, 64 + HEADER, 0);
	say("leaves 0");
	say("enters 0");
	pmemobj_tx_realloc((Object){1, PLACE}, 100, 5); /* stays */
	say("leaves 0");
	say("enters 0");
	pmemobj_tx_realloc((Object){1, PLACE}, 200, 5);
	allocated(PLACE + 5 - HEADER, 200 + HEADER, 0);
	say("leaves 0");
	say("enters 0");
	pmemobj_tx_strdup("four", 0);
	allocated(PLACE + 4 - HEADER, 5 + HEADER, 0);
	say("leaves 0");
	say("enters 0");
	pmemobj_tx_xwcsdup(L"four", 0, 0);
	allocated(PLACE + 4 - HEADER, 5 * sizeof(wchar_t) + HEADER, 0);
	say("leaves 0");

	/* One that the transaction leaves is over when the next one begins. */
	say("enters 0");
	if (setjmp(aborted) == 0)
		pmemobj_tx_alloc(64, 9);
	say("leaves 0");
	pmemobj_tx_begin(pool + 0x1000, NULL, NULL);
	alloc_deeper();
}

/* --------------------------------------------------------- as is declared */

NOT_INLINED void *my_alloc(size_t size)
{
	return size > 4096 ? NULL : pool + PLACE;
}

/* Jumps to the other one. */
NOT_INLINED __attribute__((optimize("O2"))) void *my_alloc_alias(size_t size)
{
	return my_alloc(size);
}

NOT_INLINED int my_alloc_to(void **memory, size_t count, size_t size)
{
	Object object = {0, 0};
	say("enters 1");
	CHECK(pmemobj_alloc(pool, &object, 8, 16, NULL, NULL) == 0);
	allocated(PLACE + 16 - HEADER, 8 + HEADER, 1);
	say("leaves 1");
	*memory = pool + PLACE;
	return count * size > 4096;
}

NOT_INLINED void *my_realloc(void *old, size_t size)
{
	return size > 64 ? (char *)old + 0x200 : old;
}

static void of_the_program(void)
{
	void *memory;
	say("enters 0");
	my_alloc(32);
	allocated(PLACE, 32, 0);
	say("leaves 0");
	say("enters 0");
	my_alloc(5000);
	say("leaves 0");

	say("enters 0");
	say("enters 1");
	my_alloc_alias(40);
	allocated(PLACE, 40, 1);
	say("leaves 1");
	allocated(PLACE, 256, 0);
	say("leaves 0");

	say("enters 0");
	CHECK(my_alloc_to(&memory, 3, 8) == 0);
	allocated(PLACE, 24, 0);
	say("leaves 0");
	say("enters 0");
	CHECK(my_alloc_to(&memory, 1000, 8) == 1);
	say("leaves 0");

	say("enters 0");
	my_realloc(pool + PLACE, 64); /* stays */
	say("leaves 0");
	say("enters 0");
	my_realloc(pool + PLACE, 65);
	allocated(PLACE + 0x200, 65, 0);
	say("leaves 0");

	/* What of it lies in PM. */
	say("enters 0");
	my_realloc(pool + 0x1f00 - 0x200, 0x1000);
	allocated(0x1f00, 0x100, 0);
	say("leaves 0");
}

static void *work(void *unused)
{
	of_libpmemobj();
	in_a_transaction();
	of_the_program();
	return unused;
}

int main(int count, char **arguments)
{
	pthread_t thread;
	CHECK(count >= 2);
	CHECK(chdir(arguments[1]) == 0);
	pool = map_fd(make_file("pool", 0x2000), 0x2000, 0);
	my_alloc(8); /* nothing is recorded while there is one thread */
	CHECK(pthread_create(&thread, NULL, work, NULL) == 0);
	CHECK(pthread_join(thread, NULL) == 0);
	say_all();
	return 0;
}
