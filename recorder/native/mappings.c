/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where PM files are mapped, and whether stacks lie in them. Instrumented code sees the hull of all mappings only: what
 * lies inside it is looked up here.
 */
#include "mappings.h"

#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"

#include "core_api.h"
#include "files.h"
#include "loads.h"
#include "options.h"
#include "shadow.h"
#include "slots.h"
#include "trace.h"

#define HULL_SLACK 4096UL /* an unaligned store may begin this much before a mapping */
#define STACK_SLACK 4096UL /* a stack that begins where a mapping ends is in that mapping */
#define MAX_MAPPINGS 4096

Bool pc_stack_in_pm;

static Hull hull;

typedef struct {
	Addr start;
	SizeT size;
} AlternateStack;

static AlternateStack *alternate_stacks; /* by thread */
static Mapping mappings[MAX_MAPPINGS]; /* sorted, no overlaps */
static Int mapping_count;

void pc_mappings_init(void)
{
	alternate_stacks = pc_zeros(pc_most_threads(), sizeof(AlternateStack));
}

/* -------------------------------------------------------------- look-up */

const Mapping *pc_mapping_from(Addr address)
{
	static Int last;
	if (last < mapping_count && mappings[last].start <= address && address < mappings[last].end)
		return &mappings[last];
	Int low = 0;
	Int high = mapping_count;
	while (low < high) {
		Int middle = (low + high) / 2;
		if (mappings[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == mapping_count)
		return NULL;
	last = low;
	return &mappings[low];
}

const Mapping *pc_mapping_at(Int index)
{
	return index < mapping_count ? &mappings[index] : NULL;
}

Int pc_mappings_in(Addr start, SizeT size, Mapping *pieces, Int limit)
{
	Addr end = start + size;
	Int count = 0;
	for (Int i = 0; i < mapping_count && count < limit; i++) {
		if (mappings[i].end <= start || mappings[i].start >= end)
			continue;
		Mapping piece = mappings[i];
		if (piece.start < start) {
			piece.offset += start - piece.start;
			piece.start = start;
		}
		if (piece.end > end)
			piece.end = end;
		pieces[count++] = piece;
	}
	return count;
}

/* ------------------------------------------------------ hull and stacks */

static void update_hull(void)
{
	if (mapping_count == 0) {
		hull.length = 0;
		return;
	}
	hull.start = mappings[0].start - HULL_SLACK;
	hull.length = mappings[mapping_count - 1].end - hull.start;
}

void pc_hull_to(ThreadId tid)
{
	VG_(set_shadow_regs_area)(tid, 1, SHADOW_OFFSET_HULL - SHADOW_OFFSET_TOP, sizeof hull, (const UChar *)&hull);
}

static void look_for_stack(Addr start, Addr end)
{
	const Mapping *mapping = pc_mapping_from(start);
	if (pc_stack_in_pm || mapping == NULL || mapping->start > end)
		return;
	pc_stack_in_pm = True;
	VG_(discard_translations)(0, ~0ULL, "a stack lies in PM");
}

void pc_stack_is_at(Addr sp)
{
	look_for_stack(sp - STACK_SLACK, sp);
}

void pc_alternate_stack(ThreadId tid, Addr start, SizeT size)
{
	alternate_stacks[tid] = (AlternateStack){start, size};
	if (size != 0)
		look_for_stack(start, start + size);
}

Addr pc_end_of_alternate_stack(ThreadId tid)
{
	return alternate_stacks[tid].start + alternate_stacks[tid].size;
}

/* -------------------------------------------------------------- changes */

static SizeT whole_pages(SizeT size)
{
	return (size + VKI_PAGE_SIZE - 1) & ~(SizeT)(VKI_PAGE_SIZE - 1);
}

static void insert(Mapping mapping)
{
	Int at = mapping_count;
	if (mapping_count == MAX_MAPPINGS)
		pc_give_up("the target has more than %d mappings of PM files at once, which the recorder cannot follow",
				MAX_MAPPINGS);
	while (at > 0 && mappings[at - 1].start > mapping.start) {
		mappings[at] = mappings[at - 1];
		at--;
	}
	mappings[at] = mapping;
	mapping_count++;
}

static void append_map(ThreadId tid, UInt kind, UInt file, ULong offset, Addr start, SizeT size)
{
	if (!pc_options.record)
		return;
	pc_lock();
	struct powercut_map *record = pc_append(kind, 0, tid, sizeof *record);
	record->file = file;
	record->pid = (UInt)VG_(getpid)();
	record->offset = offset;
	record->address = start;
	record->size = size;
	pc_commit();
	pc_unlock();
}

/* Takes [start, end) out of the table; what is left of a mapping on both sides stays. */
static Bool cut_out(Addr start, Addr end)
{
	Bool found = False;
	for (Int i = 0; i < mapping_count;) {
		Mapping old = mappings[i];
		if (old.end <= start || old.start >= end) {
			i++;
			continue;
		}
		found = True;
		mapping_count--;
		for (Int k = i; k < mapping_count; k++)
			mappings[k] = mappings[k + 1];
		if (old.start < start) {
			Mapping left = old;
			left.end = start;
			insert(left);
			i++;
		}
		if (old.end > end) {
			Mapping right = old;
			right.start = end;
			right.offset += end - old.start;
			insert(right);
			i++;
		}
	}
	return found;
}

void pc_mapping_remove(ThreadId tid, Addr start, SizeT size)
{
	SizeT pages = whole_pages(size);
	if (!cut_out(start, start + pages))
		return;
	update_hull();
	append_map(tid, POWERCUT_UNMAP, 0, 0, start, pages);
}

void pc_mapping_add(ThreadId tid, Addr start, SizeT size, UInt file, ULong offset)
{
	SizeT pages = whole_pages(size);
	Mapping mapping = {start, start + pages, file, offset};
	insert(mapping);
	update_hull();
	pc_stack_is_at(VG_(get_SP)(tid));
	for (ThreadId other = 1; other < VG_N_THREADS && !pc_stack_in_pm; other++) {
		if (alternate_stacks[other].size != 0)
			look_for_stack(alternate_stacks[other].start, pc_end_of_alternate_stack(other));
	}
	pc_file_is_mapped(file);
	pc_loads_mapped();
	append_map(tid, POWERCUT_MAP, file, offset, start, pages);
}
