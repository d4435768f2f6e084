/* SPDX-License-Identifier: Apache-2.0 */
/* What gcc -fsanitize=thread calls: before each access to memory, and where a function begins and ends. */
#include "detector.h"
#include "kard.h"
#include "keys.h"
#include "modules.h"
#include "known.h"
#include "owned.h"
#include "stacks.h"
#include "start.h"
#include "tags.h"

static inline __attribute__((always_inline)) void access_of(void *address, size_t size, unsigned kind, struct site site)
{
	if (!atomic_load_explicit(&several, memory_order_relaxed))
		return;
	struct thread *me = self;
	if (me == NULL || size == 0 || (me->inside | me->hook) != 0)
		return;
	if (with_keys)
		return; /* the processor tells of it */
	if (with_tags && tags_fit(me, (uintptr_t)address, size, kind))
		return;
	hook_begin(me, site.sp);
	detect_access(me, (uintptr_t)address, size, kind, site);
	hook_end(me);
}

#define is_read false
#define is_write true

/* Apart from the hooks, so that those that know their access need no stack frame. */
#define UNKNOWN(kind, size, announced) \
	static __attribute__((noinline)) void long_##kind##size(uintptr_t address, uintptr_t base, uintptr_t pc, \
			uintptr_t sp) \
	{ \
		struct site site = {pc, sp}; \
		if (!atomic_load_explicit(&several, memory_order_relaxed)) \
			return; \
		if (!with_known || !hmtrace_unknown_##kind##size(address, base, site)) \
			access_of((void *)address, size, announced, site); \
	} \
	static __attribute__((noinline)) void unknown_##kind##size(uintptr_t address, uintptr_t base, uintptr_t pc, \
			uintptr_t sp) \
	{ \
		if (!kard_ignores(address) && !owned_access(address, base, size, is_##kind, pc, sp)) \
			long_##kind##size(address, base, pc, sp); \
	}

#define UNKNOWNS(size) UNKNOWN(read, size, ACCESS_READ) UNKNOWN(write, size, ACCESS_WRITE)
UNKNOWNS(1)
UNKNOWNS(2)
UNKNOWNS(4)
UNKNOWNS(8)

static void unknown_read16(uintptr_t address, uintptr_t base, uintptr_t pc, uintptr_t sp)
{
	(void)base;
	access_of((void *)address, 16, ACCESS_READ, (struct site){pc, sp});
}

static void unknown_write16(uintptr_t address, uintptr_t base, uintptr_t pc, uintptr_t sp)
{
	(void)base;
	access_of((void *)address, 16, ACCESS_WRITE, (struct site){pc, sp});
}

#define ACCESS(name, size, kind, may_be_known) \
	EXPORT void __tsan_##name(void *place); \
	void __tsan_##name(void *place) \
	{ \
		uintptr_t address = (uintptr_t)place, base = known_base(address); \
		if (!(may_be_known) || !known_access(address, base, size, is_##kind)) \
			unknown_##kind##size(address, base, SITE_HERE.pc, SITE_HERE.sp); \
	}

#define IN_WORD(size) (address % WORD + size <= WORD)

#define ACCESSES(size) \
	ACCESS(read##size, size, read, true) \
	ACCESS(write##size, size, write, true) \
	ACCESS(unaligned_read##size, size, read, IN_WORD(size)) \
	ACCESS(unaligned_write##size, size, write, IN_WORD(size)) \
	ACCESS(volatile_read##size, size, read, true) \
	ACCESS(volatile_write##size, size, write, true) \
	ACCESS(unaligned_volatile_read##size, size, read, IN_WORD(size)) \
	ACCESS(unaligned_volatile_write##size, size, write, IN_WORD(size))

ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)
ACCESS(vptr_read, 8, read, true)

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
