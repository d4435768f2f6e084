/* SPDX-License-Identifier: Apache-2.0 */
#include "shadow.h"

#include "pages.h"
#include "spin.h"

#include <string.h>
#include <sys/mman.h>

#define CHUNK_BITS 26
#define CHUNK ((uintptr_t)1 << CHUNK_BITS)
#define CHUNKS ((size_t)1 << (ADDRESS_BITS - CHUNK_BITS))
#define STRIPES 4096
#define PAGE 4096
#define LARGE (1 << 16) /* bytes of shadow that are cheaper to give back */

static _Atomic(struct granule *) *chunks;
static struct spin stripes[STRIPES];

void shadow_start(void)
{
	chunks = pages_reserve(CHUNKS * sizeof *chunks);
}

static struct granule *new_chunk(size_t index)
{
	size_t size = CHUNK / GRANULE * sizeof(struct granule);
	struct granule *mine = pages_reserve(size), *there = NULL;
	if (atomic_compare_exchange_strong(&chunks[index], &there, mine))
		return mine;
	pages_return(mine, size);
	return there;
}

struct granule *shadow_of(uintptr_t address)
{
	size_t index = address >> CHUNK_BITS;
	if (__builtin_expect(index >= CHUNKS, 0))
		return NULL;
	struct granule *chunk = atomic_load_explicit(&chunks[index], memory_order_acquire);
	if (__builtin_expect(chunk == NULL, 0))
		chunk = new_chunk(index);
	return chunk + address % CHUNK / GRANULE;
}

static struct spin *stripe_of(uintptr_t address)
{
	uintptr_t granule = address / GRANULE;
	return &stripes[(granule ^ granule >> 12) % STRIPES];
}

void shadow_lock(uintptr_t address)
{
	spin_lock(stripe_of(address));
}

void shadow_unlock(uintptr_t address)
{
	spin_unlock(stripe_of(address));
}

static void clear_chunk(struct granule *first, size_t count)
{
	uintptr_t from = (uintptr_t)first, to = (uintptr_t)(first + count);
	uintptr_t inner = (from + PAGE - 1) & ~(uintptr_t)(PAGE - 1), end = to & ~(uintptr_t)(PAGE - 1);
	if (to - from < LARGE || inner >= end) {
		memset(first, 0, to - from);
		return;
	}
	memset((void *)from, 0, inner - from);
	madvise((void *)inner, end - inner, MADV_DONTNEED);
	memset((void *)end, 0, to - end);
}

void shadow_clear(uintptr_t address, size_t size)
{
	uintptr_t from = address & ~(uintptr_t)(GRANULE - 1);
	uintptr_t to = (address + size + GRANULE - 1) & ~(uintptr_t)(GRANULE - 1);
	while (from < to && from >> CHUNK_BITS < CHUNKS) {
		uintptr_t end = (from & ~(CHUNK - 1)) + CHUNK;
		if (end > to)
			end = to;
		struct granule *chunk = atomic_load_explicit(&chunks[from >> CHUNK_BITS], memory_order_acquire);
		if (chunk != NULL)
			clear_chunk(chunk + from % CHUNK / GRANULE, (end - from) / GRANULE);
		from = end;
	}
}

void shadow_after_fork(void)
{
	memset(stripes, 0, sizeof stripes);
}
