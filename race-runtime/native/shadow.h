/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of each granule of memory: its latest accesses. */
#ifndef RACE_SHADOW_H
#define RACE_SHADOW_H

#include "spin.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __aarch64__
#define ADDRESS_BITS 48
#else
#define ADDRESS_BITS 47
#endif
#define GRANULE 16 /* bytes, as those of Arm's memory tagging (HMTRace, section 4.1) */
#define CELLS 4

/* One access to a granule. who == 0: none. */
struct cell {
	_Atomic uint64_t who; /* segment of its thread, the thread's slot, a bit for each byte, atomic, write */
	uint32_t where; /* stack */
	uint32_t locks; /* lockset */
};

struct granule {
	struct cell cells[CELLS];
};

#define SHADOW_CHUNK_BITS 26
#define SHADOW_CHUNK ((uintptr_t)1 << SHADOW_CHUNK_BITS) /* bytes of the program */
#define SHADOW_CHUNKS ((size_t)1 << (ADDRESS_BITS - SHADOW_CHUNK_BITS))
#define SHADOW_STRIPES 4096

extern _Atomic(struct granule *) *shadow_chunks;
extern struct spin shadow_stripes[SHADOW_STRIPES];

void shadow_start(void);
struct granule *shadow_new_chunk(size_t index);

/* Never NULL for addresses of programs; NULL for others. */
static inline struct granule *shadow_of(uintptr_t address)
{
	size_t index = address >> SHADOW_CHUNK_BITS;
	if (__builtin_expect(index >= SHADOW_CHUNKS, 0))
		return NULL;
	struct granule *chunk = atomic_load_explicit(&shadow_chunks[index], memory_order_acquire);
	if (__builtin_expect(chunk == NULL, 0))
		chunk = shadow_new_chunk(index);
	return chunk + address % SHADOW_CHUNK / GRANULE;
}

static inline struct spin *shadow_stripe(uintptr_t address)
{
	uintptr_t granule = address / GRANULE;
	return &shadow_stripes[(granule ^ granule >> 12) % SHADOW_STRIPES];
}

/* While it is locked no other thread writes its cells. */
static inline void shadow_lock(uintptr_t address)
{
	spin_lock(shadow_stripe(address));
}

static inline void shadow_unlock(uintptr_t address)
{
	spin_unlock(shadow_stripe(address));
}

/* Forgets the accesses to a range of memory that begins a new life. */
void shadow_clear(uintptr_t address, size_t size);
void shadow_after_fork(void);

#endif
