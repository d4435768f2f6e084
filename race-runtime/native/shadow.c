/* SPDX-License-Identifier: Apache-2.0 */
#include "shadow.h"

#include "pages.h"

#include <string.h>
#include <sys/mman.h>

#define PAGE 4096
#define LARGE (1 << 16) /* bytes of shadow that are cheaper to give back */

_Atomic(struct granule *) *shadow_chunks;
struct spin shadow_stripes[SHADOW_STRIPES];

void shadow_start(void)
{
	shadow_chunks = pages_reserve(SHADOW_CHUNKS * sizeof *shadow_chunks);
}

struct granule *shadow_new_chunk(size_t index)
{
	size_t size = SHADOW_CHUNK / GRANULE * sizeof(struct granule);
	struct granule *mine = pages_reserve(size), *there = NULL;
	if (atomic_compare_exchange_strong(&shadow_chunks[index], &there, mine))
		return mine;
	pages_return(mine, size);
	return there;
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
	while (from < to && from >> SHADOW_CHUNK_BITS < SHADOW_CHUNKS) {
		uintptr_t end = (from & ~(SHADOW_CHUNK - 1)) + SHADOW_CHUNK;
		if (end > to)
			end = to;
		struct granule *chunk = atomic_load_explicit(&shadow_chunks[from >> SHADOW_CHUNK_BITS], memory_order_acquire);
		if (chunk != NULL)
			clear_chunk(chunk + from % SHADOW_CHUNK / GRANULE, (end - from) / GRANULE);
		from = end;
	}
}

void shadow_after_fork(void)
{
	memset(shadow_stripes, 0, sizeof shadow_stripes);
}
