/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --races=yes: memory in PM that functions of libpmemobj allocate, and those of --allocator.
 *
 * What is allocated is new memory: nothing that was done to it before matters. It is known when the function returns.
 * Its entry is recorded, too, since what the function has stored in the memory by then belongs to the new owner: zeros,
 * or what a constructor stores. Locks that it takes are recorded as everywhere, so these functions are followed apart
 * from those of locks. Several may be entered in one another, and each counts: one may cut pieces off memory that it
 * gets from another one.
 *
 * Nothing is recorded while there is one thread. An object of libpmemobj is an offset in a pool. Its pool is the
 * function's first argument, or that of the thread's transaction.
 */
#include "allocators.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"

#include "core_api.h"
#include "declared.h"
#include "loads.h"
#include "mappings.h"
#include "memory.h"
#include "options.h"
#include "returns.h"
#include "sites.h"
#include "slots.h"
#include "stacks.h"
#include "trace.h"

#define MAX_NESTED 16 /* deeper ones do not count */
#define LARGEST_TEXT (1UL << 20)
#define WIDE 4 /* bytes of a wchar_t */
/* What libpmemobj keeps before an object, unless flags name a class of objects. Some have nothing there. */
#define HEADER 16
#define CLASS_SHIFT 48
#define OF_TRANSACTION 0 /* instead of an argument: the pool */
#define RESULT 0 /* instead of an argument: where the object is */

typedef enum { BYTES, TEXT, WIDE_TEXT, NO_SIZE } Unit;

typedef struct {
	const HChar *name;
	UInt pool; /* the argument, or OF_TRANSACTION */
	UInt object; /* the argument that points to it, or RESULT */
	UInt size; /* the argument */
	Unit unit;
	Bool moves; /* what was allocated: it is new if it is elsewhere then */
	UInt flags; /* the argument, 0 = none */
} Function;

static const Function functions[] = {
		{"pmemobj_tx_begin", 1, RESULT, 0, NO_SIZE, False, 0},
		{"pmemobj_alloc", 1, 2, 3, BYTES, False, 0},
		{"pmemobj_xalloc", 1, 2, 3, BYTES, False, 5},
		{"pmemobj_zalloc", 1, 2, 3, BYTES, False, 0},
		{"pmemobj_realloc", 1, 2, 3, BYTES, True, 0},
		{"pmemobj_zrealloc", 1, 2, 3, BYTES, True, 0},
		{"pmemobj_strdup", 1, 2, 3, TEXT, False, 0},
		{"pmemobj_wcsdup", 1, 2, 3, WIDE_TEXT, False, 0},
		{"pmemobj_reserve", 1, RESULT, 3, BYTES, False, 0},
		{"pmemobj_xreserve", 1, RESULT, 3, BYTES, False, 5},
		{"pmemobj_list_insert_new", 1, RESULT, 7, BYTES, False, 0},
		{"pmemobj_tx_alloc", OF_TRANSACTION, RESULT, 1, BYTES, False, 0},
		{"pmemobj_tx_zalloc", OF_TRANSACTION, RESULT, 1, BYTES, False, 0},
		{"pmemobj_tx_xalloc", OF_TRANSACTION, RESULT, 1, BYTES, False, 3},
		/* The object is passed in two registers. */
		{"pmemobj_tx_realloc", OF_TRANSACTION, RESULT, 3, BYTES, True, 0},
		{"pmemobj_tx_zrealloc", OF_TRANSACTION, RESULT, 3, BYTES, True, 0},
		{"pmemobj_tx_strdup", OF_TRANSACTION, RESULT, 1, TEXT, False, 0},
		{"pmemobj_tx_xstrdup", OF_TRANSACTION, RESULT, 1, TEXT, False, 0},
		{"pmemobj_tx_wcsdup", OF_TRANSACTION, RESULT, 1, WIDE_TEXT, False, 0},
		{"pmemobj_tx_xwcsdup", OF_TRANSACTION, RESULT, 1, WIDE_TEXT, False, 0},
};
#define FUNCTIONS (sizeof functions / sizeof functions[0])

/* PMEMoid */
typedef struct {
	ULong pool;
	ULong offset; /* 0 = none */
} Object;

/* One that has not returned. */
typedef struct {
	Addr sp; /* where its return address lies */
	Addr returns_to;
	const Function *function; /* NULL = of --allocator */
	ULong declared; /* those of --allocator that it is */
	DeclaredCall call;
	Addr pool;
	SizeT size;
	ULong old; /* the offset of what may move, 0 = none */
	Addr old_of_declared[MAX_DECLARED];
	Bool recorded;
} Pending;

typedef struct {
	Pending stack[MAX_NESTED];
	UInt depth;
	Addr pool; /* of its transaction */
} Thread;

static Thread **threads;

/* ----------------------------------------------------------------- names */

Int pc_allocator_function(const HChar *name)
{
	if (!VG_STREQN(8, name, "pmemobj_"))
		return -1;
	for (UInt i = 0; i < FUNCTIONS; i++) {
		if (VG_STREQ(functions[i].name, name))
			return (Int)i;
	}
	return -1;
}

/* --------------------------------------------------------------- records */

static void append(UInt kind, UInt depth)
{
	pc_lock();
	struct powercut_allocation *record = pc_append(kind, 0, VG_(get_running_tid)(), sizeof *record);
	record->depth = depth;
	pc_commit();
	pc_unlock();
}

static void append_allocated(const VexGuestAMD64State *guest, ULong location, SizeT size, UInt depth, SiteIndex site)
{
	pc_lock();
	UInt stack = pc_stack_id(pc_stack_in_helper(guest, site));
	UInt site_id = pc_site_id(site);
	struct powercut_allocated *record = pc_append(POWERCUT_ALLOCATED, 0, VG_(get_running_tid)(), sizeof *record);
	record->site = site_id;
	record->stack = stack;
	record->location = location;
	record->size = size;
	record->depth = depth;
	pc_commit();
	pc_unlock();
}

/* The function has allocated what of that is PM. */
static void allocated(const VexGuestAMD64State *guest, Addr address, SizeT size, UInt depth, SiteIndex site)
{
	Addr end = address + size < address ? address : address + size;
	for (const Mapping *mapping = pc_mapping_from(address); mapping != NULL && mapping->start < end && address < end;
			mapping = pc_mapping_from(address)) {
		Addr from = address > mapping->start ? address : mapping->start;
		Addr to = end < mapping->end ? end : mapping->end;
		append_allocated(guest, pc_location(mapping->file, mapping->offset + (from - mapping->start)), to - from, depth,
				site);
		address = to;
	}
}

/* ------------------------------------------------------ entry and return */

static Thread *running_thread(void)
{
	Thread **thread = &threads[VG_(get_running_tid)()];
	if (*thread == NULL)
		*thread = VG_(calloc)("pc.allocators", 1, sizeof(Thread));
	return *thread;
}

/* Those whose frames are gone: an exception or a transaction that is aborted left them. */
static void drop_abandoned(Thread *thread, Addr sp)
{
	while (thread->depth > 0 && thread->stack[thread->depth - 1].sp <= sp) {
		if (thread->stack[--thread->depth].recorded)
			append(POWERCUT_ALLOCATION_END, thread->depth);
	}
}

/* A new one; NULL if there are too many. */
static Pending *begin(Thread *thread, const VexGuestAMD64State *guest, const Function *function, ULong set)
{
	Addr sp = guest->guest_RSP;
	Addr returns_to = *(const Addr *)sp;
	drop_abandoned(thread, sp - 1);
	const Pending *last = thread->depth == 0 ? NULL : &thread->stack[thread->depth - 1];
	/* One that jumped to another one has not returned. The same one again was left. */
	if (last != NULL && last->sp == sp &&
			(last->returns_to != returns_to || (last->function == function && last->declared == set)))
		drop_abandoned(thread, sp);
	if (thread->depth == MAX_NESTED)
		return NULL;
	Pending *pending = &thread->stack[thread->depth];
	*pending = (Pending){.sp = sp, .returns_to = returns_to, .function = function, .declared = set};
	pending->call = pc_declared_call(guest);
	pending->recorded = pc_loads_recorded && pc_options.record;
	if (pending->recorded)
		append(POWERCUT_ALLOCATING, thread->depth);
	thread->depth++;
	pc_returns_note(returns_to);
	return pending;
}

static SizeT text_size(Addr text, SizeT unit)
{
	for (SizeT size = 0; size < LARGEST_TEXT; size += unit) {
		if (!pc_is_readable(text + size, unit))
			return 0;
		if (unit == WIDE ? *(const UInt *)(text + size) == 0 : *(const UChar *)(text + size) == 0)
			return size + unit;
	}
	return 0;
}

static SizeT size_of(const Function *function, const VexGuestAMD64State *guest, const DeclaredCall *call)
{
	if (function->size > ARGUMENTS) {
		Addr at = guest->guest_RSP + sizeof(Addr) * (function->size - ARGUMENTS);
		return pc_is_readable(at, sizeof(UWord)) ? *(const UWord *)at : 0;
	}
	UWord size = call->arguments[function->size - 1];
	switch (function->unit) {
	case TEXT: return text_size(size, 1);
	case WIDE_TEXT: return text_size(size, WIDE);
	case BYTES: return size;
	default: return 0;
	}
}

/* The offset of the object that an argument points to. */
static ULong offset_at(Addr object)
{
	return pc_is_readable(object, sizeof(Object)) ? ((const Object *)object)->offset : 0;
}

void pc_on_allocator_entered(const VexGuestAMD64State *guest, UWord number)
{
	const Function *function = &functions[number];
	Thread *thread = running_thread();
	if (function->unit == NO_SIZE) {
		drop_abandoned(thread, guest->guest_RSP);
		thread->pool = guest->guest_RDI;
		return;
	}
	Pending *pending = begin(thread, guest, function, 0);
	if (pending == NULL)
		return;
	pending->pool = function->pool == OF_TRANSACTION ? thread->pool : pending->call.arguments[function->pool - 1];
	pending->size = size_of(function, guest, &pending->call);
	if (function->moves)
		pending->old = function->object == RESULT ? pending->call.arguments[1]
												  : offset_at(pending->call.arguments[function->object - 1]);
}

void pc_on_own_allocator_entered(const VexGuestAMD64State *guest, ULong set)
{
	Pending *pending = begin(running_thread(), guest, NULL, set);
	pc_declared_entered(set);
	if (pending == NULL)
		return;
	for (UInt i = 0; i < MAX_DECLARED; i++)
		pending->old_of_declared[i] = (set >> i & 1) != 0 ? pc_declared_old(i, &pending->call) : 0;
}

static void own_returned(const VexGuestAMD64State *guest, const Pending *pending, UInt depth, SiteIndex site)
{
	for (UInt i = 0; i < MAX_DECLARED; i++) {
		SizeT size;
		Addr address = (pending->declared >> i & 1) != 0 ? pc_declared_allocated(i, &pending->call, &size) : 0;
		if (address == 0)
			continue;
		pc_declared_took(i);
		if (address != pending->old_of_declared[i] && pending->recorded)
			allocated(guest, address, size, depth, site);
	}
}

static void returned(const VexGuestAMD64State *guest, const Pending *pending, UInt depth, SiteIndex site)
{
	const Function *function = pending->function;
	ULong offset = guest->guest_RDX;
	if (function->object != RESULT)
		offset = (Int)guest->guest_RAX == 0 ? offset_at(pending->call.arguments[function->object - 1]) : 0;
	if (offset == 0 || offset == pending->old || pending->pool == 0 || !pending->recorded)
		return;
	UWord flags = function->flags == 0 ? 0 : pending->call.arguments[function->flags - 1];
	SizeT header = flags >> CLASS_SHIFT == 0 ? HEADER : 0;
	allocated(guest, pending->pool + offset - header, pending->size + header, depth, site);
}

void pc_on_allocator_returned(const VexGuestAMD64State *guest, Addr here)
{
	Thread *thread = running_thread();
	Addr sp = guest->guest_RSP - sizeof(Addr);
	drop_abandoned(thread, sp - 1);
	/* One may have jumped to another one. */
	while (thread->depth > 0 && thread->stack[thread->depth - 1].sp == sp &&
			thread->stack[thread->depth - 1].returns_to == here) {
		Pending *pending = &thread->stack[--thread->depth];
		pending->call.result = guest->guest_RAX;
		if (pending->function != NULL)
			returned(guest, pending, thread->depth, pc_site_of(here - 1));
		else
			own_returned(guest, pending, thread->depth, pc_site_of(here - 1));
		if (pending->recorded)
			append(POWERCUT_ALLOCATION_END, thread->depth);
	}
}

void pc_allocators_init(void)
{
	if (pc_options.races)
		threads = pc_zeros(pc_most_threads(), sizeof(Thread *));
}

void pc_allocators_forget_thread(ThreadId tid)
{
	if (threads != NULL && threads[tid] != NULL) {
		threads[tid]->depth = 0;
		threads[tid]->pool = 0;
	}
}
