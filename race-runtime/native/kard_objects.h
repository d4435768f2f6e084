/* SPDX-License-Identifier: Apache-2.0 */
/* KARD's shared objects (section 5.2): heap blocks and global variables that were used in a critical section. */
#ifndef RACE_KARD_OBJECTS_H
#define RACE_KARD_OBJECTS_H

#include "shadow.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum kard_domain { DOMAIN_READ_ONLY, DOMAIN_READ_WRITE };

#define MOST_GUARDS 4

/* The part of memory that one table is for: it has an entry for each granule, 0 where nothing is shared. */
#define KARD_CHUNK_BITS 26
#define KARD_CHUNK ((uintptr_t)1 << KARD_CHUNK_BITS)
#define KARD_CHUNKS ((size_t)1 << (ADDRESS_BITS - KARD_CHUNK_BITS))

struct kard_key;

/* A critical section uses the object: since when, in entries of any thread into one. */
struct kard_need {
	uint32_t section; /* stack of the entry */
	bool writes;
	uint64_t since, writes_since;
	struct kard_need *next;
};

struct kard_object {
	uintptr_t address;
	size_t size;
	enum kard_domain domain;
	struct kard_key *key; /* NULL = none yet */
	uint64_t key_since;
	struct kard_need *needs;
	unsigned protection; /* key of its pages; 0 = as when it was made */
	bool is_suspected; /* each use of it in a section is looked at */
	bool was_used; /* in a critical section */
	uint64_t users; /* a bit for each thread that used it; threads whose numbers differ by 64 have one in common */
	unsigned guard_count;
	uintptr_t guards[MOST_GUARDS]; /* locks that were held at each use since */
	struct kard_object *next_of_key;
};

extern _Atomic(uint32_t *) *kard_chunks; /* NULL = nothing is shared there */

void kard_objects_start(void);

/* The entry of an address; NULL = there is none. */
static inline uint32_t *kard_entry_of(uintptr_t address)
{
	size_t index = address >> KARD_CHUNK_BITS;
	if (__builtin_expect(index >= KARD_CHUNKS, 0))
		return NULL;
	uint32_t *chunk = atomic_load_explicit(&kard_chunks[index], memory_order_acquire);
	return chunk == NULL ? NULL : &chunk[address % KARD_CHUNK / GRANULE];
}

/* Whether nothing in the granule of an address is shared. */
static inline bool kard_is_apart(uintptr_t address)
{
	const uint32_t *entry = kard_entry_of(address);
	return entry == NULL || *entry == 0;
}
/* The shared object at an address; NULL = it is in the domain "not accessed", or no object at all. */
struct kard_object *kard_object_at(uintptr_t address);
/* As above, but what is not yet shared becomes so. NULL = neither a block nor a global variable. */
struct kard_object *kard_object_identify(uintptr_t address);
/* It ends. */
void kard_object_forget(struct kard_object *object);

#endif
