/* SPDX-License-Identifier: Apache-2.0 */
/* The allocator, mappings, and functions that copy memory. */
#include "detector.h"
#include "kard.h"
#include "keys.h"
#include "memory.h"
#include "modules.h"
#include "objects.h"
#include "report.h"
#include "shadow.h"
#include "stacks.h"
#include "start.h"
#include "tags.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MOST_FREED 1024 /* bytes of a freed block that are compared with earlier accesses */

/* The C library's own names of its allocator: they need no look-up, which would allocate. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static void *allocated(void *block, size_t size, struct site site)
{
	struct thread *me = watched();
	if (me == NULL || block == NULL)
		return block;
	me->inside++;
	tags_enable((uintptr_t)block, size);
	object_allocated(&(struct object){.address = (uintptr_t)block,
			.size = size,
			.where = stack_of(me, site.pc, site.sp),
			.thread = me->number});
	me->inside--;
	return block;
}

/* What the program itself allocates can have pages of its own. */
static void *take(size_t size, size_t alignment, struct site site)
{
	void *block = NULL;
	if (with_keys && watched() != NULL && is_watched_code(site.pc))
		block = keys_allocate(size, alignment);
	if (block != NULL)
		return allocated(block, size, site);
	return allocated(alignment == 0 ? __libc_malloc(size) : __libc_memalign(alignment, size), size, site);
}

static void give(void *block)
{
	if (keys_has(block))
		keys_free(block);
	else
		__libc_free(block);
}

static void *again(void *block, size_t size, struct site site)
{
	if (!keys_has(block))
		return allocated(__libc_realloc(block, size), size, site);
	void *moved = take(size, 0, site);
	if (moved == NULL)
		return NULL;
	keys_open();
	size_t old = keys_size(block);
	memcpy(moved, block, old < size ? old : size);
	keys_close();
	keys_free(block);
	return moved;
}

REAL(size_t, malloc_usable_size, void *)
EXPORT size_t malloc_usable_size(void *block)
{
	return keys_has(block) ? keys_size(block) : real_malloc_usable_size()(block);
}

static void freed(void *block, struct site site)
{
	struct thread *me = watched();
	if (me == NULL || block == NULL)
		return;
	me->inside++;
	struct object object;
	size_t size = malloc_usable_size(block);
	bool known = object_freed((uintptr_t)block, &object);
	if (atomic_load_explicit(&several, memory_order_relaxed) && known && with_hmtrace && is_watched_code(site.pc)) {
		object_leaves(&object);
		hmtrace_free(me, (uintptr_t)block, object.size < MOST_FREED ? object.size : MOST_FREED, site);
		object_leaves(NULL);
	}
	if (with_kard)
		kard_free((uintptr_t)block, size);
	tags_revoke_range(me, (uintptr_t)block, size);
	shadow_clear((uintptr_t)block, size);
	me->inside--;
}

EXPORT void *malloc(size_t size)
{
	return take(size, 0, SITE_HERE);
}

EXPORT void *calloc(size_t count, size_t size)
{
	struct site site = SITE_HERE;
	size_t total;
	if (!with_keys || !is_watched_code(site.pc) || __builtin_mul_overflow(count, size, &total))
		return allocated(__libc_calloc(count, size), count * size, site);
	void *block = take(total, 0, site);
	if (block != NULL) {
		keys_open();
		memset(block, 0, total);
		keys_close();
	}
	return block;
}

EXPORT void *realloc(void *block, size_t size)
{
	struct site site = SITE_HERE;
	freed(block, site);
	return again(block, size, site);
}

EXPORT void *reallocarray(void *block, size_t count, size_t size)
{
	struct site site = SITE_HERE;
	size_t total;
	if (__builtin_mul_overflow(count, size, &total)) {
		errno = ENOMEM;
		return NULL;
	}
	freed(block, site);
	return again(block, total, site);
}

EXPORT void *memalign(size_t alignment, size_t size)
{
	return take(size, alignment, SITE_HERE);
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
	return take(size, alignment, SITE_HERE);
}

EXPORT int posix_memalign(void **block, size_t alignment, size_t size)
{
	if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0)
		return EINVAL;
	void *memory = take(size, alignment, SITE_HERE);
	if (memory == NULL)
		return ENOMEM;
	*block = memory;
	return 0;
}

EXPORT void free(void *block)
{
	freed(block, SITE_HERE);
	give(block);
}

void *memory_new(size_t size, size_t alignment, struct site site)
{
	if (size == 0)
		size = 1;
	return take(size, alignment, site);
}

void memory_delete(void *block, struct site site)
{
	freed(block, site);
	give(block);
}

REAL(void *, mmap, void *, size_t, int, int, int, off_t)
EXPORT void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset)
{
	void *memory = real_mmap()(address, size, protection, flags, file, offset);
	struct thread *me = watched();
	if (me != NULL && memory != MAP_FAILED) {
		me->inside++;
		shadow_clear((uintptr_t)memory, size);
		if ((flags & MAP_ANONYMOUS) != 0 && protection == (PROT_READ | PROT_WRITE))
			tags_enable((uintptr_t)memory, size);
		else
			tags_never((uintptr_t)memory, size);
		me->inside--;
	}
	return memory;
}

EXPORT void *mmap64(void *address, size_t size, int protection, int flags, int file, off_t offset)
{
	return mmap(address, size, protection, flags, file, offset);
}

REAL(int, munmap, void *, size_t)
EXPORT int munmap(void *address, size_t size)
{
	struct thread *me = watched();
	if (me != NULL) {
		me->inside++;
		shadow_clear((uintptr_t)address, size);
		me->inside--;
	}
	return real_munmap()(address, size);
}

void memory_used(const void *address, size_t size, unsigned kind, struct site site)
{
	if (!atomic_load_explicit(&several, memory_order_relaxed) || size == 0)
		return;
	struct thread *me = watched();
	if (me == NULL)
		return;
	keys_open();
	me->inside++;
	if (is_watched_code(site.pc))
		detect_access(me, (uintptr_t)address, size, kind, site);
	me->inside--;
	keys_close();
}

REAL(void *, memcpy, void *, const void *, size_t)
EXPORT void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
	memory_used(from, size, ACCESS_READ, SITE_HERE);
	memory_used(to, size, ACCESS_WRITE, SITE_HERE);
	return KEYS_OPEN(real_memcpy()(to, from, size));
}

REAL(void *, memmove, void *, const void *, size_t)
EXPORT void *memmove(void *to, const void *from, size_t size)
{
	memory_used(from, size, ACCESS_READ, SITE_HERE);
	memory_used(to, size, ACCESS_WRITE, SITE_HERE);
	return KEYS_OPEN(real_memmove()(to, from, size));
}

REAL(void *, memset, void *, int, size_t)
EXPORT void *memset(void *to, int byte, size_t size)
{
	memory_used(to, size, ACCESS_WRITE, SITE_HERE);
	return KEYS_OPEN(real_memset()(to, byte, size));
}

/* What -D_FORTIFY_SOURCE calls. */
REAL(void *, __memcpy_chk, void *, const void *, size_t, size_t)
EXPORT void *__memcpy_chk(void *to, const void *from, size_t size, size_t room);
void *__memcpy_chk(void *to, const void *from, size_t size, size_t room)
{
	memory_used(from, size, ACCESS_READ, SITE_HERE);
	memory_used(to, size, ACCESS_WRITE, SITE_HERE);
	return KEYS_OPEN(real___memcpy_chk()(to, from, size, room));
}

REAL(void *, __memmove_chk, void *, const void *, size_t, size_t)
EXPORT void *__memmove_chk(void *to, const void *from, size_t size, size_t room);
void *__memmove_chk(void *to, const void *from, size_t size, size_t room)
{
	memory_used(from, size, ACCESS_READ, SITE_HERE);
	memory_used(to, size, ACCESS_WRITE, SITE_HERE);
	return KEYS_OPEN(real___memmove_chk()(to, from, size, room));
}

REAL(void *, __memset_chk, void *, int, size_t, size_t)
EXPORT void *__memset_chk(void *to, int byte, size_t size, size_t room);
void *__memset_chk(void *to, int byte, size_t size, size_t room)
{
	memory_used(to, size, ACCESS_WRITE, SITE_HERE);
	return KEYS_OPEN(real___memset_chk()(to, byte, size, room));
}
