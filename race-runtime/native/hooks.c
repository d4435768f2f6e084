/* SPDX-License-Identifier: Apache-2.0 */
/* What gcc -fsanitize=thread calls: before each access to memory, and where a function begins and ends. */
#include "detector.h"
#include "keys.h"
#include "modules.h"
#include "recent.h"
#include "stacks.h"
#include "start.h"
#include "tags.h"

static inline __attribute__((always_inline)) void access_of(void *address, size_t size, unsigned kind, struct site site)
{
	if (__builtin_expect(!atomic_load_explicit(&several, memory_order_relaxed), 0))
		return;
	struct thread *me = self;
	if (__builtin_expect(me == NULL, 0) || size == 0)
		return;
	if (size <= GRANULE && recent_fits(me, (uintptr_t)address, size, kind))
		return;
	if (me->inside != 0)
		return;
	if (with_keys)
		return; /* the processor tells of it */
	if (with_tags && tags_fit(me, (uintptr_t)address, size, kind))
		return;
	me->inside++;
	detect_access(me, (uintptr_t)address, size, kind, site);
	me->inside--;
}

#define ACCESS(name, size, kind) \
	EXPORT void __tsan_##name(void *address); \
	void __tsan_##name(void *address) \
	{ \
		access_of(address, size, kind, SITE_HERE); \
	}

#define ACCESSES(size) \
	ACCESS(read##size, size, ACCESS_READ) \
	ACCESS(write##size, size, ACCESS_WRITE) \
	ACCESS(unaligned_read##size, size, ACCESS_READ) \
	ACCESS(unaligned_write##size, size, ACCESS_WRITE) \
	ACCESS(volatile_read##size, size, ACCESS_READ) \
	ACCESS(volatile_write##size, size, ACCESS_WRITE) \
	ACCESS(unaligned_volatile_read##size, size, ACCESS_READ) \
	ACCESS(unaligned_volatile_write##size, size, ACCESS_WRITE)

ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)
ACCESS(vptr_read, sizeof(void *), ACCESS_READ)

EXPORT void __tsan_read_range(void *address, size_t size);
void __tsan_read_range(void *address, size_t size)
{
	access_of(address, size, ACCESS_READ, SITE_HERE);
}

EXPORT void __tsan_write_range(void *address, size_t size);
void __tsan_write_range(void *address, size_t size)
{
	access_of(address, size, ACCESS_WRITE, SITE_HERE);
}

/* A destructor sets the pointer again to what it is; that others read meanwhile is harmless. */
EXPORT void __tsan_vptr_update(void **place, void *value);
void __tsan_vptr_update(void **place, void *value)
{
	if (*place != value)
		access_of(place, sizeof *place, ACCESS_WRITE, SITE_HERE);
}

EXPORT void __tsan_func_entry(void *pc);
void __tsan_func_entry(void *pc)
{
	struct thread *me = self;
	if (me != NULL)
		stack_enter(me, (uintptr_t)pc, frame_address());
}

EXPORT void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
	struct thread *me = self;
	if (me != NULL)
		stack_leave(me, frame_address());
}

/* Each object file with hooks calls it from a constructor. */
EXPORT void __tsan_init(void);
void __tsan_init(void)
{
	race_start();
	if (is_on)
		module_watch((uintptr_t)__builtin_return_address(0));
}
