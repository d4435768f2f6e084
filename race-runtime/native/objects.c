/* SPDX-License-Identifier: Apache-2.0 */
#include "objects.h"

#include "pages.h"
#include "spin.h"

#include <string.h>

#define PAGE_BITS 8 /* few objects begin in so small a page */
#define BUCKETS 65536
#define PAGES_OF_SMALL 256 /* larger objects are in a list of their own */

struct entry {
	struct object object;
	struct entry *next;
};

struct bucket {
	struct spin lock;
	struct entry *first;
};

static __thread const struct object *leaving;
static struct bucket *buckets; /* by page; the last one is for large objects */

void objects_start(void)
{
	buckets = pages_keep((BUCKETS + 1) * sizeof *buckets);
}

static struct bucket *bucket_of_page(uintptr_t page)
{
	return &buckets[(page ^ page >> 16) % BUCKETS];
}

static struct bucket *bucket_of(uintptr_t address, size_t size)
{
	return size > (size_t)PAGES_OF_SMALL << PAGE_BITS ? &buckets[BUCKETS] : bucket_of_page(address >> PAGE_BITS);
}

void object_allocated(const struct object *object)
{
	struct entry *entry = pages_take(sizeof *entry);
	entry->object = *object;
	struct bucket *bucket = bucket_of(object->address, object->size);
	spin_lock(&bucket->lock);
	entry->next = bucket->first;
	bucket->first = entry;
	spin_unlock(&bucket->lock);
}

static bool take(struct bucket *bucket, uintptr_t address, struct object *object)
{
	spin_lock(&bucket->lock);
	struct entry **place = &bucket->first;
	while (*place != NULL && (*place)->object.address != address)
		place = &(*place)->next;
	struct entry *entry = *place;
	if (entry != NULL)
		*place = entry->next;
	spin_unlock(&bucket->lock);
	if (entry == NULL)
		return false;
	*object = entry->object;
	pages_give(entry, sizeof *entry);
	return true;
}

bool object_freed(uintptr_t address, struct object *object)
{
	return take(bucket_of_page(address >> PAGE_BITS), address, object) || take(&buckets[BUCKETS], address, object);
}

void object_leaves(const struct object *object)
{
	leaving = object;
}

static bool search(struct bucket *bucket, uintptr_t address, struct object *object)
{
	bool found = false;
	spin_lock(&bucket->lock);
	for (struct entry *entry = bucket->first; entry != NULL && !found; entry = entry->next) {
		found = address - entry->object.address < entry->object.size;
		if (found)
			*object = entry->object;
	}
	spin_unlock(&bucket->lock);
	return found;
}

bool object_at(uintptr_t address, struct object *object)
{
	uintptr_t page = address >> PAGE_BITS;
	if (leaving != NULL && address - leaving->address < leaving->size) {
		*object = *leaving;
		return true;
	}
	for (uintptr_t back = 0; back <= PAGES_OF_SMALL && back <= page; back++)
		if (search(bucket_of_page(page - back), address, object))
			return true;
	return search(&buckets[BUCKETS], address, object);
}

void objects_after_fork(void)
{
	for (unsigned i = 0; i <= BUCKETS; i++)
		spin_unlock(&buckets[i].lock);
}
