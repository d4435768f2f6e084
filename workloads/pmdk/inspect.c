/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void say(const char *prefix, const char *format, va_list arguments)
{
	fflush(stdout);
	fprintf(stderr, "%s: ", prefix);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
}

void inconsistent(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say("inconsistent", format, arguments);
	va_end(arguments);
	exit(EXIT_INCONSISTENT);
}

void trouble(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say("trouble", format, arguments);
	va_end(arguments);
	exit(EXIT_TROUBLE);
}

static void *grown(void *array, size_t *capacity, size_t element)
{
	*capacity = *capacity == 0 ? 1024 : *capacity * 2;
	array = realloc(array, *capacity * element);
	if (array == NULL)
		trouble("out of memory");
	return array;
}

static int by_offset(const void *left, const void *right)
{
	uint64_t a = ((const struct object *)left)->offset;
	uint64_t b = ((const struct object *)right)->offset;

	return a < b ? -1 : a > b;
}

void inspection_begin(struct inspection *inspection, PMEMobjpool *pop, uint64_t value_type)
{
	size_t capacity = 0;

	*inspection =
			(struct inspection){.pop = pop, .pool_uuid = pmemobj_root(pop, 1).pool_uuid_lo, .value_type = value_type};
	for (PMEMoid oid = pmemobj_first(pop); !OID_IS_NULL(oid); oid = pmemobj_next(oid)) {
		if (inspection->object_count == capacity)
			inspection->objects = grown(inspection->objects, &capacity, sizeof(struct object));
		inspection->objects[inspection->object_count++] =
				(struct object){oid.off, pmemobj_type_num(oid), pmemobj_alloc_usable_size(oid), false};
	}
	if (inspection->object_count > 0)
		qsort(inspection->objects, inspection->object_count, sizeof(struct object), by_offset);
}

void inspection_end(struct inspection *inspection)
{
	free(inspection->objects);
	free(inspection->entries);
	*inspection = (struct inspection){0};
}

static struct object *find_object(struct inspection *inspection, uint64_t offset)
{
	struct object wanted = {.offset = offset};

	if (inspection->object_count == 0)
		return NULL;
	return bsearch(&wanted, inspection->objects, inspection->object_count, sizeof(struct object), by_offset);
}

const void *inspect_shared(struct inspection *inspection, PMEMoid oid, uint64_t type, size_t size, const char *what)
{
	struct object *object;

	if (OID_IS_NULL(oid))
		inconsistent("%s is null", what);
	if (oid.pool_uuid_lo != inspection->pool_uuid)
		inconsistent("%s points into another pool (offset %#lx)", what, oid.off);
	object = find_object(inspection, oid.off);
	if (object == NULL)
		inconsistent("%s points at offset %#lx, where no allocated object begins", what, oid.off);
	if (object->type != type)
		inconsistent("%s points at an object of type %lu, not %lu (offset %#lx)", what, object->type, type, oid.off);
	if (object->size < size)
		inconsistent("%s points at an object of %lu bytes, not %zu (offset %#lx)", what, object->size, size, oid.off);
	object->seen = true;
	return pmemobj_direct(oid);
}

const void *inspect_object(struct inspection *inspection, PMEMoid oid, uint64_t type, size_t size, const char *what)
{
	struct object *object = OID_IS_NULL(oid) ? NULL : find_object(inspection, oid.off);

	if (object != NULL && object->seen)
		inconsistent("%s points at an object that something else points at too (offset %#lx)", what, oid.off);
	return inspect_shared(inspection, oid, type, size, what);
}

void inspect_entry(struct inspection *inspection, uint64_t key, PMEMoid value)
{
	if (inspection->entry_count == inspection->entry_capacity)
		inspection->entries = grown(inspection->entries, &inspection->entry_capacity, sizeof(struct map_entry));
	inspection->entries[inspection->entry_count++] = (struct map_entry){key, value};
}

static int by_key(const void *left, const void *right)
{
	uint64_t a = ((const struct map_entry *)left)->key, b = ((const struct map_entry *)right)->key;

	return a < b ? -1 : a > b;
}

void inspection_sort(struct inspection *inspection)
{
	qsort(inspection->entries, inspection->entry_count, sizeof(*inspection->entries), by_key);
}

size_t inspection_unreached(const struct inspection *inspection, uint64_t type)
{
	size_t count = 0;

	for (size_t i = 0; i < inspection->object_count; i++)
		count += inspection->objects[i].type == type && !inspection->objects[i].seen;
	return count;
}
