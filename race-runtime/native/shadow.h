/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of each granule of memory: its latest accesses. */
#ifndef RACE_SHADOW_H
#define RACE_SHADOW_H

#include "threads.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __aarch64__
#define ADDRESS_BITS 48
#else
#define ADDRESS_BITS 47
#endif
#define GRANULE 16 /* bytes, as those of Arm's memory tagging (HMTRace, section 4.1) */
#define WORD 8 /* bytes, half a granule */
#define CELLS 4

/* What a report says of an access. */
struct details {
	uint32_t where; /* stack */
	uint32_t locks; /* lockset */
};

typedef uint32_t cells __attribute__((vector_size(CELLS * sizeof(uint32_t))));

/* The accesses to a granule, in one cache line. */
struct granule {
	cells segments; /* of their threads */
	cells uses; /* the thread's slot, a bit for each byte, atomic, write; 0: none */
	struct details details[CELLS];
};

#define SHADOW_CHUNK_BITS 26
#define SHADOW_CHUNK ((uintptr_t)1 << SHADOW_CHUNK_BITS) /* bytes of the program */
#define SHADOW_CHUNKS ((size_t)1 << (ADDRESS_BITS - SHADOW_CHUNK_BITS))
#define SHADOW_LOCKED ((uint64_t)1 << 63) /* of a granule's first tag */
#define SHADOW_PAGE 4096 /* bytes that one thread may own */

/* Where the words' tags (known.h) of each chunk are, less the address of its memory; 0: not yet. */
extern _Atomic uintptr_t shadow_words[SHADOW_CHUNKS];

void shadow_start(void);
uintptr_t shadow_new_chunk(size_t index);

/* Behind a chunk's tags there are its granules, and who owns its pages. */
struct shadow {
	_Atomic uint64_t *words; /* the two tags of the granule */
	struct granule *granule;
	_Atomic uint16_t *owner; /* of the page */
};

static inline __attribute__((always_inline)) struct shadow shadow_in(uintptr_t base, uintptr_t address)
{
	uintptr_t offset = address % SHADOW_CHUNK, chunk = base + address - offset;
	uintptr_t granule = offset & ~(uintptr_t)(GRANULE - 1), granules = chunk + SHADOW_CHUNK;
	uintptr_t owners = granules + SHADOW_CHUNK / GRANULE * sizeof(struct granule);
	return (struct shadow){(_Atomic uint64_t *)(chunk + granule),
			(struct granule *)(granules + granule * (sizeof(struct granule) / GRANULE)),
			(_Atomic uint16_t *)(owners + offset / SHADOW_PAGE * sizeof(uint16_t))};
}

/* False for addresses that no program has. */
static inline bool shadow_of(uintptr_t address, struct shadow *shadow)
{
	size_t index = address >> SHADOW_CHUNK_BITS;
	if (__builtin_expect(index >= SHADOW_CHUNKS, 0))
		return false;
	uintptr_t base = atomic_load_explicit(&shadow_words[index], memory_order_acquire);
	if (__builtin_expect(base == 0, 0))
		base = shadow_new_chunk(index);
	*shadow = shadow_in(base, address);
	return true;
}

/* Whether pages have owners: the kernel has a barrier for all processors (membarrier(2)). */
extern bool shadow_owned;

#define SHADOW_SHARED UINT16_MAX /* the owner of a page that several threads use; else it is a thread's slot + 1 */

/* Returns whether the thread owns the page now; else several threads use it. */
bool shadow_becomes_mine(struct thread *me, _Atomic uint16_t *owner, uintptr_t address);
/* Until the granule of a shared page is the caller's. */
void shadow_wait(_Atomic uint64_t *word);

/*
 * Whether the page is the thread's own, which has it until shadow_give. It says so before it looks, by plain stores: until
 * another thread first comes to the page, nothing there is locked.
 */
static inline __attribute__((always_inline)) bool shadow_have(struct thread *me, const struct shadow *shadow,
		uintptr_t address)
{
	atomic_store_explicit(&me->busy, address | 1, memory_order_relaxed); /* 0 is none */
	atomic_signal_fence(memory_order_seq_cst);
	return atomic_load_explicit(shadow->owner, memory_order_relaxed) == me->owns;
}

/* While a thread has a granule no other one changes it. Returns whether it is the page's owner. */
static inline __attribute__((always_inline)) bool shadow_take(struct thread *me, const struct shadow *shadow,
		uintptr_t address)
{
	while (shadow_owned && atomic_load_explicit(shadow->owner, memory_order_relaxed) != SHADOW_SHARED) {
		if (__builtin_expect(shadow_have(me, shadow, address), 1))
			return true;
		atomic_store_explicit(&me->busy, 0, memory_order_release);
		if (!shadow_becomes_mine(me, shadow->owner, address))
			break;
	}
	me->wanted = shadow->words;
	if (__builtin_expect((atomic_fetch_or(&shadow->words[0], SHADOW_LOCKED) & SHADOW_LOCKED) != 0, 0))
		shadow_wait(shadow->words);
	me->taken = shadow->words;
	return false;
}

static inline __attribute__((always_inline)) void shadow_give(struct thread *me, const struct shadow *shadow,
		bool owner)
{
	if (owner) {
		atomic_store_explicit(&me->busy, 0, memory_order_release);
		return;
	}
	me->taken = NULL;
	atomic_store_explicit(&shadow->words[0],
			atomic_load_explicit(&shadow->words[0], memory_order_relaxed) & ~SHADOW_LOCKED, memory_order_release);
	me->wanted = NULL;
}

/* Sets a tag of a granule that the thread has. */
static inline __attribute__((always_inline)) void shadow_set_word(_Atomic uint64_t *word, uint64_t tag)
{
	uint64_t now = atomic_load_explicit(word, memory_order_relaxed);
	atomic_store_explicit(word, tag | (now & SHADOW_LOCKED), memory_order_relaxed);
}

/* Forgets the accesses to a range of memory that begins a new life. */
void shadow_clear(uintptr_t address, size_t size);
/* The same of a thread's stack, which nobody owns then. */
void shadow_clear_stack(uintptr_t low, uintptr_t high);
void shadow_after_fork(void);
/* Ends in a forked child what a thread that does not exist there was doing. */
void shadow_end_of(const struct thread *thread, const struct thread *me);

#endif
