/* SPDX-License-Identifier: Apache-2.0 */
/* What an algorithm is told. Each call comes from the thread that does it, which is inside the runtime. */
#ifndef RACE_DETECTOR_H
#define RACE_DETECTOR_H

#include "noise.h"
#include "threads.h"

enum access_kind { ACCESS_READ = 0, ACCESS_WRITE = 1, ACCESS_ATOMIC = 2 };

/* Where in the program something happens: a return address, and the frame address of the hook that it called. */
struct site {
	uintptr_t pc;
	uintptr_t sp;
};

#define SITE_HERE ((struct site){(uintptr_t)__builtin_return_address(0), frame_address()})

/* Chosen at the start; a program without POWERCUT_RACES is not watched at all. */
extern bool is_on, with_hmtrace, with_kard;

/*
 * The papers alone: threads are ordered only by how they are created and end. Locks exclude each other, but what one
 * thread did before it gave a lock back did not happen before what the next one does behind it.
 */
extern bool is_pure;

void hmtrace_access(struct thread *me, uintptr_t address, size_t size, unsigned kind, struct site site);
/*
 * A plain access of a hook that only HMTRace is told of, with the base of its shadow (known.h). Returns false if it is one
 * for hmtrace_access.
 */
#define HMTRACE_UNKNOWN(size) \
	bool hmtrace_unknown_read##size(uintptr_t address, uintptr_t base, struct site site); \
	bool hmtrace_unknown_write##size(uintptr_t address, uintptr_t base, struct site site);
HMTRACE_UNKNOWN(1)
HMTRACE_UNKNOWN(2)
HMTRACE_UNKNOWN(4)
HMTRACE_UNKNOWN(8)

/* Memory is given back: as if all of it were written, but nothing is kept. */
void hmtrace_free(struct thread *me, uintptr_t address, size_t size, struct site site);
/* Earlier accesses to these bytes of one granule were no plain ones. */
void hmtrace_forget(struct thread *me, uintptr_t address, size_t size);

void kard_access(struct thread *me, uintptr_t address, size_t size, unsigned kind, struct site site);

/* An access, for each algorithm that was chosen. */
static inline void detect_access(struct thread *me, uintptr_t address, size_t size, unsigned kind, struct site site)
{
	noise(me, NOISE_ACCESS);
	if (with_hmtrace)
		hmtrace_access(me, address, size, kind, site);
	if (__builtin_expect(with_kard, 0))
		kard_access(me, address, size, kind, site);
}

#endif
