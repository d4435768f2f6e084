/* SPDX-License-Identifier: Apache-2.0 */
#include "kard_objects.h"

#include "objects.h"
#include "pages.h"
#include "variables.h"

#define ENTRIES (1u << 22)

/* Small variables share a granule, so each granule has a list. */
struct entry {
	struct kard_object *object;
	uint32_t next;
};

_Atomic(uint32_t *) *kard_chunks;
static struct entry *entries;
static uint32_t count = 1, unused;

void kard_objects_start(void)
{
	kard_chunks = pages_reserve(KARD_CHUNKS * sizeof *kard_chunks);
	entries = pages_reserve(ENTRIES * sizeof *entries);
}

/* The entry of an address, made where there is none. NULL = it is no memory of a program. */
static uint32_t *new_entry(uintptr_t address)
{
	size_t index = address >> KARD_CHUNK_BITS;
	if (index < KARD_CHUNKS && kard_entry_of(address) == NULL) {
		uint32_t *chunk = pages_reserve(KARD_CHUNK / GRANULE * sizeof *chunk);
		atomic_store_explicit(&kard_chunks[index], chunk, memory_order_release);
	}
	return kard_entry_of(address);
}

struct kard_object *kard_object_at(uintptr_t address)
{
	uint32_t *first = kard_entry_of(address);
	for (uint32_t i = first == NULL ? 0 : *first; i != 0; i = entries[i].next) {
		struct kard_object *object = entries[i].object;
		if (address - object->address < object->size)
			return object;
	}
	return NULL;
}

static bool add(uintptr_t address, struct kard_object *object)
{
	uint32_t *first = new_entry(address);
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
		for (uint32_t *place = kard_entry_of(at); place != NULL && *place != 0; place = &entries[*place].next) {
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
