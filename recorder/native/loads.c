/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --races=yes: loads from PM, with their stacks.
 *
 * A load is recorded once for each thread, place, size and stack between two synchronisations of its thread, unless
 * another thread stored to the line in between. A table by hash remembers what was recorded; what it forgets is
 * recorded again. Of several processes all loads are recorded: none sees what the others store. While there is one
 * thread, no code is added for loads.
 */
#include "loads.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"

#include "accesses.h"
#include "core_api.h"
#include "events.h"
#include "hashmap.h"
#include "mappings.h"
#include "options.h"
#include "shadow.h"
#include "sites.h"
#include "slots.h"
#include "stacks.h"
#include "trace.h"

#define REMEMBERED 8192 /* loads of each thread, a power of two */
#define LINES 65536 /* whose last storing thread is known, by hash, a power of two */

Bool pc_loads_recorded;

/* By thread: hashes of its recorded loads. 0 = none. */
static ULong **recorded;
/* By thread: counts its synchronisations. */
static ULong *epochs;

/* The thread that stored to a line last, and how often the thread changed. */
typedef struct {
	UInt thread;
	UInt changes;
} LastStore;

static LastStore *last_stores;

static ULong mix(ULong hash, ULong value)
{
	hash = (hash ^ value) * HASH_MULTIPLIER;
	return hash ^ hash >> 32;
}

static LastStore *last_store_of(UInt file, ULong line)
{
	return &last_stores[mix(file, line) & (LINES - 1)];
}

void pc_loads_stored(ThreadId tid, UInt file, ULong offset, ULong size)
{
	if (!pc_loads_recorded)
		return;
	for (ULong line = offset / POWERCUT_LINE_SIZE; size != 0 && line <= (offset + size - 1) / POWERCUT_LINE_SIZE;
			line++) {
		LastStore *last = last_store_of(file, line);
		last->changes += 1;
		last->thread = tid;
	}
}

void pc_loads_synchronised(ThreadId tid)
{
	pc_accesses_synchronised();
	if (epochs != NULL)
		epochs[tid]++;
}

void pc_loads_thread_starts(ThreadId tid)
{
	pc_loads_synchronised(tid);
}

/* What distinguishes loads, of which one is recorded. */
static ULong key_of(const VexGuestAMD64State *guest, ThreadId tid, SiteIndex site, const Mapping *mapping, Addr from,
		Addr to)
{
	const ShadowStack *shadow = (const ShadowStack *)((const UChar *)guest + SHADOW_OFFSET_TOP);
	ULong offset = mapping->offset + (from - mapping->start);
	ULong key = mix(mix(mix(shadow->top->hash, shadow->top->sp), site), epochs[tid]);
	key = mix(mix(mix(key, mapping->file), offset), to - from);
	for (ULong line = offset / POWERCUT_LINE_SIZE; line <= (offset + (to - from) - 1) / POWERCUT_LINE_SIZE; line++) {
		const LastStore *last = last_store_of(mapping->file, line);
		if (last->thread != tid)
			key = mix(key, last->changes);
	}
	return key == 0 ? 1 : key;
}

static Bool is_known(ThreadId tid, ULong key)
{
	if (pc_control->pm_shared)
		return False;
	if (recorded[tid] == NULL)
		recorded[tid] = VG_(calloc)("pc.loads", REMEMBERED, sizeof(ULong));
	ULong *known = &recorded[tid][key & (REMEMBERED - 1)];
	Bool found = *known == key;
	*known = key;
	return found;
}

static void append_load(ThreadId tid, UInt flags, UInt stack, SiteIndex site, ULong location, ULong size)
{
	UInt site_id = pc_site_id(site);
	struct powercut_load *record = pc_append(POWERCUT_LOAD, flags, tid, sizeof *record);
	record->site = site_id;
	record->stack = stack;
	record->location = location;
	record->size = size;
	pc_commit();
}

/* What lies in PM. Without a guest: of a system call. */
static void load(const VexGuestAMD64State *guest, ThreadId tid, UInt flags, SiteIndex site, Addr address, SizeT size)
{
	Addr end = address + size;
	for (const Mapping *mapping = pc_mapping_from(address); mapping != NULL && mapping->start < end && address < end;
			mapping = pc_mapping_from(address)) {
		Addr from = address > mapping->start ? address : mapping->start;
		Addr to = end < mapping->end ? end : mapping->end;
		address = to;
		if (guest != NULL && is_known(tid, key_of(guest, tid, site, mapping, from, to)))
			continue;
		ULong location = pc_location(mapping->file, mapping->offset + (from - mapping->start));
		pc_lock();
		Stack *stack = guest != NULL ? pc_stack_in_helper(guest, site) : pc_stack_in_syscall(tid, site);
		append_load(tid, flags, pc_stack_id(stack), site, location, to - from);
		pc_unlock();
	}
}

void pc_on_load(const VexGuestAMD64State *guest, Addr address, UWord what)
{
	load(guest, VG_(get_running_tid)(), (what >> LOAD_FLAGS_SHIFT) & 0xff, (SiteIndex)what, address,
			what >> LOAD_SIZE_SHIFT);
}

void pc_kernel_load(ThreadId tid, Addr address, SizeT size)
{
	Mapping piece;
	if (pc_loads_recorded && size != 0 && pc_mappings_in(address, size, &piece, 1) != 0)
		load(NULL, tid, POWERCUT_LOAD_KERNEL, pc_syscall_site(tid), address, size);
}

void pc_loads_second_thread(void)
{
	if (!pc_options.races || !pc_options.record || pc_loads_recorded)
		return;
	pc_loads_recorded = True;
	VG_(discard_translations)(0, ~0ULL, "loads are recorded from now on");
}

/* ------------------------------------------------------------- processes */

static void other_process(void)
{
	pc_control->pm_shared = 1;
	pc_loads_second_thread();
}

void pc_loads_mapped(void)
{
	UInt self = (UInt)VG_(getpid)();
	if (!pc_options.races)
		return;
	if (pc_control->pm_process == 0)
		pc_control->pm_process = self;
	else if (pc_control->pm_process != self)
		other_process();
}

void pc_loads_before_fork(void)
{
	if (pc_options.races && pc_mapping_from(0) != NULL)
		other_process();
}

void pc_loads_process_ends(void)
{
	if (pc_control->pm_process == (UInt)VG_(getpid)())
		pc_control->pm_process = 0;
}

void pc_loads_follow_others(void)
{
	if (pc_options.races && !pc_loads_recorded && pc_control->pm_shared)
		pc_loads_second_thread();
}

void pc_loads_init(void)
{
	pc_accesses_init();
	if (!pc_options.races)
		return;
	recorded = pc_zeros(pc_most_threads(), sizeof(ULong *));
	epochs = pc_zeros(pc_most_threads(), sizeof(ULong));
	last_stores = pc_zeros(LINES, sizeof(LastStore));
}
