/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tag of a word of memory, as in HMTRace: the thread and the segment that used it last, and which of its bytes they
 * used and wrote. Granules keep these accesses, so the same thread's next ones in the segment need no second look.
 */
#ifndef RACE_KNOWN_H
#define RACE_KNOWN_H

#include "detector.h"
#include "shadow.h"

#define KNOWN_USED 8 /* where the bits of used bytes begin; those of written ones begin at 0 */
#define KNOWN_SEGMENT 16
#define KNOWN_SLOT 48
#define KNOWN_ALL 0xffffu /* all bytes used and written */

/* The calling thread's tag with KNOWN_ALL; another one where the hooks announce each access; 0 in an unwatched thread. */
extern __thread uint64_t known_here __attribute__((tls_model("initial-exec")));
/* Whether hooks look at tags: not where each access counts (KARD, pauses, tags of the processor). */
extern bool with_known;

/* In the thread: its segment is a new one. */
void known_next_segment(struct thread *me);

static inline uint64_t known_tag(unsigned slot, uint32_t segment)
{
	return (uint64_t)slot << KNOWN_SLOT | (uint64_t)segment << KNOWN_SEGMENT;
}

/* Whether a tag says that these bytes of a word are known. */
static inline bool known_fits(uint64_t tag, uint64_t mine, unsigned bytes, bool written)
{
	uint64_t needed = (uint64_t)bytes << (written ? 0 : KNOWN_USED) | ~(uint64_t)KNOWN_ALL;
	return ((tag ^ mine) & needed) == 0;
}

/* The base of an address's shadow, 0 = there is none. */
static inline __attribute__((always_inline)) uintptr_t known_base(uintptr_t address)
{
	size_t index = address >> SHADOW_CHUNK_BITS;
	if (__builtin_expect(index >= SHADOW_CHUNKS, 0))
		return 0;
	return atomic_load_explicit(&shadow_words[index], memory_order_relaxed);
}

/*
 * Whether the calling thread's access to a word is known. It takes the compiler's word that the access is aligned, so that
 * it lies in one word.
 */
static inline __attribute__((always_inline)) bool known_access(uintptr_t address, uintptr_t base, unsigned size,
		bool written)
{
	if (__builtin_expect(base == 0, 0))
		return false;
	uintptr_t word = size >= WORD ? address : address & ~(uintptr_t)(WORD - 1);
	const _Atomic uint64_t *words = (const _Atomic uint64_t *)(base + word);
	uint64_t difference = atomic_load_explicit(words, memory_order_relaxed) ^ known_here;
	if (size > WORD)
		difference |= atomic_load_explicit(words + 1, memory_order_relaxed) ^ known_here;
	if (size >= WORD)
		return written ? difference == 0 : difference < 1u << KNOWN_USED;
	uint64_t needed = (uint64_t)((1u << size) - 1) << (written ? 0 : KNOWN_USED) << address % WORD;
	return (difference & (needed | ~(uint64_t)KNOWN_ALL)) == 0;
}

/* The bits of bytes that an access uses, and writes. */
static inline uint64_t known_bytes(unsigned from, size_t size, bool written)
{
	uint64_t all = (1u << size) - 1;
	return (all << KNOWN_USED | (written ? all : 0)) << from;
}

/* The tag of a word that the thread alone may change, of which these bytes are known from now on. */
static inline __attribute__((always_inline)) uint64_t known_more(const struct thread *me, const _Atomic uint64_t *tag,
		uintptr_t address, size_t size, bool written)
{
	if (size == WORD && written)
		return me->known;
	uint64_t before = atomic_load_explicit(tag, memory_order_relaxed) & ~SHADOW_LOCKED;
	uint64_t mine = me->known - KNOWN_ALL, old = before ^ mine;
	return mine | known_bytes(address % WORD, size, written) | (old <= KNOWN_ALL ? old : 0);
}

#endif
