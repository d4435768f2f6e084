/* SPDX-License-Identifier: Apache-2.0 */
#include "kard_objects.h"

#include "objects.h"
#include "pages.h"
#include "shadow.h"
#include "variables.h"

#include <stdatomic.h>

#define CHUNK_BITS 26
#define CHUNK ((uintptr_t)1 << CHUNK_BITS)
#define CHUNKS ((size_t)1 << (ADDRESS_BITS - CHUNK_BITS))
#define ENTRIES (1u << 22)

/* Small variables share a granule, so each granule has a list. */
struct entry {
	struct kard_object *object;
	uint32_t next;
};

static _Atomic(uint32_t *) *chunks;
static struct entry *entries;
static uint32_t count = 1, unused;

void kard_objects_start(void)
{
	chunks = pages_reserve(CHUNKS * sizeof *chunks);
	entries = pages_reserve(ENTRIES * sizeof *entries);
}

static uint32_t *first_of(uintptr_t address, bool create)
{
	size_t index = address >> CHUNK_BITS;
	if (index >= CHUNKS)
		return NULL;
	uint32_t *chunk = atomic_load_explicit(&chunks[index], memory_order_acquire);
	if (chunk == NULL) {
		if (!create)
			return NULL;
		chunk = pages_reserve(CHUNK / GRANULE * sizeof *chunk);
		atomic_store_explicit(&chunks[index], chunk, memory_order_release);
	}
	return &chunk[address % CHUNK / GRANULE];
}

struct kard_object *kard_object_at(uintptr_t address)
{
	uint32_t *first = first_of(address, false);
	for (uint32_t i = first == NULL ? 0 : *first; i != 0; i = entries[i].next) {
		struct kard_object *object = entries[i].object;
		if (address - object->address < object->size)
			return object;
	}
	return NULL;
}

static bool add(uintptr_t address, struct kard_object *object)
{
	uint32_t *first = first_of(address, true);
	if (first == NULL)
		return false;
	uint32_t i = unused != 0 ? unused : count;
	if (unused != 0)
		unused = entries[unused].next;
	else if (count < ENTRIES)
		count++;
	else
		return false;
	entries[i] = (struct entry){object, *first};
	*first = i;
	return true;
}

struct kard_object *kard_object_identify(uintptr_t address)
{
	struct kard_object *object = kard_object_at(address);
	if (object != NULL)
		return object;
	struct object block;
	uintptr_t begin;
	size_t size;
	if (object_at(address, &block)) {
		begin = block.address;
		size = block.size;
	} else if (!variable_at(address, &begin, &size)) {
		return NULL;
	}
	object = pages_take(sizeof *object);
	object->address = begin;
	object->size = size;
	for (uintptr_t at = begin & ~(uintptr_t)(GRANULE - 1); at < begin + size; at += GRANULE)
		if (!add(at, object))
			return NULL;
	return object;
}

void kard_object_forget(struct kard_object *object)
{
	for (uintptr_t at = object->address & ~(uintptr_t)(GRANULE - 1); at < object->address + object->size; at += GRANULE)
		for (uint32_t *place = first_of(at, false); place != NULL && *place != 0; place = &entries[*place].next) {
			uint32_t i = *place;
			if (entries[i].object != object)
				continue;
			*place = entries[i].next;
			entries[i].next = unused;
			unused = i;
			break;
		}
	while (object->needs != NULL) {
		struct kard_need *need = object->needs;
		object->needs = need->next;
		pages_give(need, sizeof *need);
	}
	pages_give(object, sizeof *object);
}
