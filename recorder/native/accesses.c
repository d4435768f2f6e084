/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An access is recorded once for each thread, place, size, kind and stack between two synchronisations of any thread. A
 * table by hash remembers what was recorded; what it forgets is recorded again. The C library and the loader are left
 * out: what they do is known by its functions. Of OpenMP's library each store is recorded, and each load that sees
 * something else: its threads wait by loads that they repeat, and what another thread stored orders them.
 */
#include "accesses.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"

#include "hashmap.h"
#include "loads.h"
#include "locks.h"
#include "memory.h"
#include "options.h"
#include "returns.h"
#include "schedule.h"
#include "shadow.h"
#include "slots.h"
#include "stacks.h"
#include "trace.h"

#define REMEMBERED 65536 /* accesses of each thread, a power of two */

#define MAX_NESTED 4

/* Of the C library; what it allocates is new memory, whoever used it before. */
typedef struct {
	const HChar *name;
	UInt size, times; /* arguments, from 1; 0 = none */
	UInt place; /* the argument that points to the result; 0 = it is returned */
} BlockFunction;

static const BlockFunction block_functions[] = {
		{"malloc", 1, 0, 0},
		{"calloc", 1, 2, 0},
		{"realloc", 2, 0, 0},
		{"reallocarray", 2, 3, 0},
		{"memalign", 2, 0, 0},
		{"aligned_alloc", 2, 0, 0},
		{"posix_memalign", 3, 0, 1},
};

/* A call that has not returned. */
typedef struct {
	Addr sp; /* where its return address lies */
	Addr returns_to;
	const BlockFunction *function;
	UWord arguments[3];
} Pending;

typedef struct {
	Pending stack[MAX_NESTED];
	UInt depth;
} Calls;

/* By thread: hashes of its recorded accesses. 0 = none. */
static ULong **recorded;
static Calls **calls;
static ULong synchronisations;

void pc_accesses_init(void)
{
	if (!pc_options.accesses)
		return;
	recorded = pc_zeros(pc_most_threads(), sizeof(ULong *));
	calls = pc_zeros(pc_most_threads(), sizeof(Calls *));
}

Bool pc_accesses_wanted(SiteIndex site)
{
	return pc_options.accesses && pc_loads_recorded && pc_site_is_watched(site);
}

void pc_accesses_synchronised(void)
{
	synchronisations++;
}

static ULong mix(ULong hash, ULong value)
{
	hash = (hash ^ value) * HASH_MULTIPLIER;
	return hash ^ hash >> 32;
}

static Bool is_known(ThreadId tid, ULong key)
{
	if (recorded[tid] == NULL)
		recorded[tid] = VG_(calloc)("pc.accesses", REMEMBERED, sizeof(ULong));
	ULong *known = &recorded[tid][key & (REMEMBERED - 1)];
	Bool found = *known == key;
	*known = key;
	return found;
}

/* What a load will see; of large ones the beginning. */
static ULong value_at(Addr address, SizeT size)
{
	ULong value = 0;
	if (size > sizeof value)
		size = sizeof value;
	if (pc_is_readable(address, size))
		VG_(memcpy)(&value, (const void *)address, size);
	return value;
}

void pc_on_access(const VexGuestAMD64State *guest, Addr address, UWord what)
{
	ThreadId tid = VG_(get_running_tid)();
	if (pc_in_lock_function(guest))
		return;
	UInt flags = (what >> ACCESS_FLAGS_SHIFT) & 0xff;
	SiteIndex site = (SiteIndex)what;
	const ShadowStack *shadow = (const ShadowStack *)((const UChar *)guest + SHADOW_OFFSET_TOP);
	ULong key = mix(mix(mix(mix(shadow->top->hash, shadow->top->sp), what), address), synchronisations);
	SizeT size = what >> ACCESS_SIZE_SHIFT;
	Bool orders = pc_site_owner(site) == OF_OPENMP, stores = (flags & POWERCUT_ACCESS_STORE) != 0;
	if (orders && !stores)
		key = mix(key, value_at(address, size));
	if ((flags & POWERCUT_ACCESS_LOCKED) != 0)
		pc_accesses_synchronised();
	else if (is_known(tid, key == 0 ? 1 : key) && !(orders && stores))
		return;
	pc_lock();
	UInt stack = pc_stack_id(pc_stack_in_helper(guest, site));
	UInt site_id = pc_site_id(site);
	struct powercut_load *record = pc_append(POWERCUT_ACCESS, flags, tid, sizeof *record);
	record->site = site_id;
	record->stack = stack;
	record->location = address;
	record->size = size;
	pc_commit();
	pc_unlock();
	if (stores && !orders)
		pc_schedule_may_pause(tid, site);
}

/* -------------------------------------------------------------- blocks */

Int pc_block_function(const HChar *name)
{
	if (!pc_options.accesses)
		return -1;
	for (UInt i = 0; i < sizeof block_functions / sizeof block_functions[0]; i++) {
		if (VG_STREQ(block_functions[i].name, name))
			return (Int)i;
	}
	return -1;
}

static Calls *running_calls(void)
{
	Calls **running = &calls[VG_(get_running_tid)()];
	if (*running == NULL)
		*running = VG_(calloc)("pc.accesses", 1, sizeof(Calls));
	return *running;
}

/* Those whose frames are gone. */
static void drop_abandoned(Calls *running, Addr sp)
{
	while (running->depth > 0 && running->stack[running->depth - 1].sp < sp)
		running->depth--;
}

void pc_on_block_entered(const VexGuestAMD64State *guest, UWord number)
{
	Calls *running = running_calls();
	drop_abandoned(running, guest->guest_RSP + 1);
	if (running->depth == MAX_NESTED)
		return;
	Addr returns_to = *(const Addr *)guest->guest_RSP;
	running->stack[running->depth++] = (Pending){
			.sp = guest->guest_RSP,
			.returns_to = returns_to,
			.function = &block_functions[number],
			.arguments = {guest->guest_RDI, guest->guest_RSI, guest->guest_RDX},
	};
	pc_returns_note(returns_to);
}

static void append_block(const VexGuestAMD64State *guest, Addr address, SizeT size, SiteIndex site)
{
	pc_lock();
	UInt stack = pc_stack_id(pc_stack_in_helper(guest, site));
	UInt site_id = pc_site_id(site);
	struct powercut_allocated *record = pc_append(POWERCUT_ALLOCATED, 0, VG_(get_running_tid)(), sizeof *record);
	record->site = site_id;
	record->stack = stack;
	record->location = address;
	record->size = size;
	pc_commit();
	pc_unlock();
}

void pc_accesses_thread_starts(ThreadId tid)
{
	SizeT size = VG_(thread_get_stack_size)(tid);
	if (!pc_options.accesses || size == 0)
		return;
	pc_lock();
	struct powercut_allocated *record = pc_append(POWERCUT_ALLOCATED, POWERCUT_ALLOCATED_STACK, tid, sizeof *record);
	record->location = VG_(thread_get_stack_max)(tid) + 1 - size;
	record->size = size;
	pc_commit();
	pc_unlock();
}

void pc_on_block_returned(const VexGuestAMD64State *guest, Addr here)
{
	if (!pc_options.accesses)
		return;
	Calls *running = running_calls();
	Addr sp = guest->guest_RSP - sizeof(Addr);
	drop_abandoned(running, sp);
	if (running->depth == 0 || running->stack[running->depth - 1].sp != sp ||
			running->stack[running->depth - 1].returns_to != here)
		return;
	const Pending *call = &running->stack[--running->depth];
	const BlockFunction *function = call->function;
	Addr block = guest->guest_RAX;
	if (function->place != 0)
		block = (Int)guest->guest_RAX == 0 ? *(const Addr *)call->arguments[function->place - 1] : 0;
	SizeT size =
			call->arguments[function->size - 1] * (function->times == 0 ? 1 : call->arguments[function->times - 1]);
	if (block != 0 && size != 0)
		append_block(guest, block, size, pc_site_of(here - 1));
}
