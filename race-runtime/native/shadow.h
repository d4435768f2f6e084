/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of each granule of memory: its latest accesses. */
#ifndef RACE_SHADOW_H
#define RACE_SHADOW_H

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

void shadow_start(void);
/* Never NULL for addresses of programs; NULL for others. */
struct granule *shadow_of(uintptr_t address);
/* While it is locked no other thread writes its cells. */
void shadow_lock(uintptr_t address);
void shadow_unlock(uintptr_t address);
/* Forgets the accesses to a range of memory that begins a new life. */
void shadow_clear(uintptr_t address, size_t size);
void shadow_after_fork(void);

#endif
