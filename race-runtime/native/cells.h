/* SPDX-License-Identifier: Apache-2.0 */
/* What a cell of a granule says of an access: its segment; then thread, bytes and kind in 32 bits (shadow.h). */
#ifndef RACE_CELLS_H
#define RACE_CELLS_H

#include "detector.h"
#include "shadow.h"

#define SLOT_SHIFT 18
#define MASK_SHIFT 2
#define KIND_MASK 3u
#define ALL_BYTES 0xffffu

static inline uint64_t pack(uint32_t segment, unsigned slot, unsigned bytes, unsigned kind)
{
	return (uint64_t)segment << 32 | (uint64_t)slot << SLOT_SHIFT | (uint64_t)bytes << MASK_SHIFT | kind;
}

static inline uint32_t segment_of(uint64_t who)
{
	return (uint32_t)(who >> 32);
}

static inline unsigned slot_of(uint64_t who)
{
	return (unsigned)(who >> SLOT_SHIFT) & (SLOTS * 4 - 1);
}

static inline unsigned bytes_of(uint64_t who)
{
	return (unsigned)(who >> MASK_SHIFT) & ALL_BYTES;
}

typedef float floats __attribute__((vector_size(CELLS * sizeof(float))));

/* A bit for each cell that is all ones, where the others are 0. */
static inline __attribute__((always_inline)) unsigned cells_set(cells mask)
{
#ifdef __SSE2__
	return (unsigned)__builtin_ia32_movmskps((floats)mask);
#else
	cells bits = mask & (cells){1, 2, 4, 8};
	return bits[0] | bits[1] | bits[2] | bits[3];
#endif
}

/* A bit for each cell in which no bit is set. */
static inline __attribute__((always_inline)) unsigned zeros(cells values)
{
	return cells_set((cells)(values == 0));
}

/* The lowest of each set of cells. */
extern const cells cells_lowest[1u << CELLS];

#endif
