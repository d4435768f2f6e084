/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Call stacks, cheaply: instrumented code keeps a shadow stack of {stack pointer, return address, hash}.
 *
 * A call pushes an entry, with a hash over the return address and the outer entry's hash. A return pops one. Where the
 * stack pointer is loaded with a new value (longjmp, unwinding, leave), all entries below it are popped. So one 64-bit
 * hash identifies the whole stack of an event. Only a new stack is walked, checked against memory, and turned into
 * sites.
 *
 * Each coroutine has a stack, and each stack has a shadow, which is kept while others run. A switch by hand,
 * swapcontext or longjmp loads the stack pointer with its value when that stack was left.
 */
#include "stacks.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"
#include "pub_tool_xarray.h"
#include "libvex_guest_amd64.h"

#include "core_api.h"
#include "events.h"
#include "hashmap.h"
#include "leaves.h"
#include "mappings.h"
#include "options.h"
#include "python_frames.h"
#include "shadow.h"
#include "sites.h"
#include "slots.h"
#include "trace.h"

#define INITIAL_ENTRIES 65536UL
#define COROUTINE_ENTRIES 256UL
#define MAX_STACKS 1000000U

/* Where a stack begins, no more than this is above the stack pointer, such as arguments. */
#define ABOVE_BEGINNING 512UL

/* A stack pointer that moves by less than this stays on one stack. */
#define RED_ZONE 128UL

/* swapcontext leaves a stack inside the call, and returns to just after it. */
#define NEAR_WHERE_LEFT 16UL

/* The bottom of every shadow stack: nothing returns from it. */
#define BOTTOM_SP (~0UL)

static HashMap stack_map; /* from hash over entries and site to index in stacks */
static XArray *stacks; /* of Stack* */

/* -------------------------------------------------- the shadow registers */

static ShadowStack get_shadow(ThreadId tid)
{
	ShadowStack shadow;
	VG_(get_shadow_regs_area)(tid, (UChar *)&shadow, 1, 0, sizeof shadow);
	return shadow;
}

static void set_shadow(ThreadId tid, const ShadowStack *shadow)
{
	VG_(set_shadow_regs_area)(tid, 1, 0, sizeof *shadow, (const UChar *)shadow);
}

static ShadowStack *shadow_of(const VexGuestAMD64State *guest)
{
	return (ShadowStack *)((Addr)guest + SHADOW_OFFSET_TOP);
}

static ShadowStack new_entries(SizeT count)
{
	SysRes mapped = VG_(am_mmap_anon_float_valgrind)(count * sizeof(ShadowEntry));
	if (sr_isError(mapped))
		pc_give_up("no memory for the call stack of a thread (%lu calls deep)", count);
	ShadowStack shadow;
	shadow.top = (ShadowEntry *)sr_Res(mapped);
	shadow.limit = shadow.top + count - 2;
	return shadow;
}

/* ---------------------------------------------------- stacks of one process */

/* A stack that code ran on: a thread's or a coroutine's, which any thread may run. */
typedef struct {
	Addr base; /* nothing of it is here or above */
	Addr left_at; /* the stack pointer when it was left */
	ShadowStack shadow; /* as it was then */
	ThreadId runs; /* the thread that runs on it, VG_INVALID_THREADID = none */
} KnownStack;

static KnownStack **known; /* by base */
static UInt known_count;
static UInt known_capacity;
static KnownStack **current; /* by thread */

/* The index of the first one whose base is above. */
static UInt first_above(Addr sp)
{
	UInt low = 0;
	UInt high = known_count;
	while (low < high) {
		UInt middle = (low + high) / 2;
		if (known[middle]->base <= sp)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void set_bottom(ShadowStack *shadow)
{
	ShadowEntry bottom = {BOTTOM_SP, 0, POWERCUT_FNV_BASIS};
	*shadow->top = bottom;
}

static void remember(KnownStack *stack)
{
	UInt at = first_above(stack->base);
	if (known_count == MAX_STACKS)
		pc_give_up("the target has more than %u stacks (coroutines), which the recorder cannot follow", MAX_STACKS);
	if (known_count == known_capacity) {
		known_capacity = known_capacity == 0 ? 64 : known_capacity * 2;
		known = VG_(realloc)("pc.known", known, known_capacity * sizeof *known);
	}
	VG_(memmove)(known + at + 1, known + at, (known_count - at) * sizeof *known);
	known[at] = stack;
	known_count++;
}

static void forget(const KnownStack *stack)
{
	UInt at = 0;
	while (at < known_count && known[at] != stack)
		at++;
	if (at == known_count)
		return;
	known_count--;
	VG_(memmove)(known + at, known + at + 1, (known_count - at) * sizeof *known);
}

/* The stack that was left here, or else the smallest that contains the address; NULL when there is none. */
static KnownStack *stack_at(Addr sp)
{
	KnownStack *smallest = NULL;
	for (UInt i = first_above(sp); i < known_count; i++) {
		KnownStack *stack = known[i];
		if (stack->runs != VG_INVALID_THREADID || stack->left_at > sp)
			continue;
		if (sp - stack->left_at <= NEAR_WHERE_LEFT)
			return stack;
		if (smallest == NULL)
			smallest = stack;
	}
	return smallest;
}

void pc_stacks_thread_starts(ThreadId tid)
{
	static ShadowStack *of_slot; /* a thread reuses the entries of the previous one in its slot */
	if (of_slot == NULL) {
		of_slot = pc_zeros(pc_most_threads(), sizeof(ShadowStack));
		current = pc_zeros(pc_most_threads(), sizeof *current);
	}
	if (of_slot[tid].top == NULL)
		of_slot[tid] = new_entries(INITIAL_ENTRIES);
	set_bottom(&of_slot[tid]);
	current[tid] = VG_(calloc)("pc.stack", 1, sizeof(KnownStack));
	current[tid]->base = VG_(get_SP)(tid) + ABOVE_BEGINNING;
	current[tid]->runs = tid;
	remember(current[tid]);
	set_shadow(tid, &of_slot[tid]);
	pc_stack_is_at(VG_(get_SP)(tid));
}

/* Another thread will reuse the memory of its stack, and its shadow. */
void pc_stacks_thread_ends(ThreadId tid)
{
	KnownStack *stack = current == NULL ? NULL : current[tid];
	if (stack == NULL)
		return;
	forget(stack);
	VG_(free)(stack);
	current[tid] = NULL;
}

/* The first time that code runs on a stack. */
static KnownStack *new_stack_at(Addr sp)
{
	KnownStack *stack = VG_(calloc)("pc.stack", 1, sizeof(KnownStack));
	stack->base = sp + ABOVE_BEGINNING;
	stack->shadow.top = VG_(calloc)("pc.shadow", COROUTINE_ENTRIES, sizeof(ShadowEntry));
	stack->shadow.limit = stack->shadow.top + COROUTINE_ENTRIES - 2;
	set_bottom(&stack->shadow);
	remember(stack);
	return stack;
}

static void switch_stacks(ThreadId tid, ShadowStack *shadow, Addr old, KnownStack *to)
{
	KnownStack *from = current[tid];
	from->left_at = old;
	from->shadow = *shadow;
	from->runs = VG_INVALID_THREADID;
	*shadow = to->shadow;
	to->runs = tid;
	current[tid] = to;
}

/* Makes room by moving. The old entries remain, since a signal frame may point to them. */
static void grow(ShadowStack *shadow)
{
	ShadowEntry *bottom = shadow->top;
	while (bottom->sp != BOTTOM_SP || bottom->return_address != 0)
		bottom--;
	SizeT count = (SizeT)(shadow->top - bottom) + 1;
	ShadowStack bigger = new_entries(count * 4);
	VG_(memcpy)(bigger.top, bottom, count * sizeof(ShadowEntry));
	bigger.top += count - 1;
	*shadow = bigger;
}

/* Where a handler on an alternate stack begins: a bottom, and below it an entry with the interrupted stack pointer. */
static Bool alternate_stacks_used;

static Bool begins_alternate_stack(const ShadowEntry *entry)
{
	return entry->sp == BOTTOM_SP && entry->return_address == 1;
}

/*
 * A longjmp out of a handler on an alternate stack: the stack pointer is back in the interrupted stack. Either of the
 * two stacks may be the higher one.
 */
static void leave_alternate_stack(ShadowStack *shadow, Addr sp)
{
	ShadowEntry *entry = shadow->top;
	while (entry->sp != BOTTOM_SP)
		entry--;
	if (!begins_alternate_stack(entry) || entry == shadow->top)
		return;
	Addr interrupted = entry[-1].sp;
	Bool is_above = shadow->top->sp < interrupted && sp >= interrupted;
	const NSegment *now = VG_(am_find_nsegment)(sp);
	if (is_above || (now == VG_(am_find_nsegment)(interrupted) && now != VG_(am_find_nsegment)(shadow->top->sp)))
		shadow->top = entry - 3;
}

static Bool is_on_alternate_stack(const ShadowStack *shadow)
{
	const ShadowEntry *entry = shadow->top;
	while (alternate_stacks_used && entry->sp != BOTTOM_SP)
		entry--;
	return alternate_stacks_used && begins_alternate_stack(entry);
}

void pc_stack_jumps(VexGuestAMD64State *guest, Addr old, Addr sp)
{
	ThreadId tid = VG_(get_running_tid)();
	ShadowStack *shadow = shadow_of(guest);
	if (alternate_stacks_used)
		leave_alternate_stack(shadow, sp - 1);
	if (!is_on_alternate_stack(shadow) && current[tid] != NULL) {
		Bool is_here = sp > old - RED_ZONE && sp < current[tid]->base;
		KnownStack *there = stack_at(sp);
		if (there != NULL && (!is_here || sp - there->left_at <= NEAR_WHERE_LEFT))
			switch_stacks(tid, shadow, old, there);
		else if (!is_here)
			switch_stacks(tid, shadow, old, new_stack_at(sp));
	}
	pc_shadow_fix(guest, sp - 1);
}

void pc_shadow_fix(VexGuestAMD64State *guest, Addr sp)
{
	ShadowStack *shadow = shadow_of(guest);
	if (alternate_stacks_used)
		leave_alternate_stack(shadow, sp);
	while (shadow->top->sp <= sp)
		shadow->top--;
	if (shadow->top >= shadow->limit)
		grow(shadow);
}

/* -------------------------------------------------------------- signals */

/*
 * A handler's stack begins at the handler, since what it interrupted is random. The marker is a bottom of its own, and
 * the entry below it has the interrupted instruction. The signal frame saves the shadow registers too, so sigreturn
 * returns to the marker, which is then popped.
 */
void pc_stacks_signal_delivered(ThreadId tid, Int signal, Bool alternate_stack)
{
	(void)signal;
	ShadowStack shadow = get_shadow(tid);
	Addr sp = VG_(get_SP)(tid);
	pc_signal_frame_below(tid, alternate_stack ? pc_end_of_alternate_stack(tid) : sp - 128);
	while (shadow.top->sp < sp)
		shadow.top--;
	if (shadow.top + 2 >= shadow.limit)
		grow(&shadow);
	ShadowEntry interrupted = {sp - 128, VG_(get_IP)(tid), POWERCUT_FNV_BASIS};
	*++shadow.top = interrupted;
	/* On the same stack, a longjmp out of the handler pops the marker. Otherwise see leave_alternate_stack. */
	ShadowEntry marker = {sp - 128, 1, POWERCUT_FNV_BASIS};
	*++shadow.top = marker;
	if (alternate_stack) {
		alternate_stacks_used = True;
		marker.sp = BOTTOM_SP;
		*++shadow.top = marker;
	}
	set_shadow(tid, &shadow);
}

void pc_stacks_signal_returned(ThreadId tid, Int signal)
{
	(void)signal;
	ShadowStack shadow = get_shadow(tid);
	if (begins_alternate_stack(shadow.top))
		shadow.top--;
	if (shadow.top->return_address == 1)
		shadow.top -= 2;
	set_shadow(tid, &shadow);
}

/* --------------------------------------------------------------- stacks */

static Bool is_bottom(const ShadowEntry *entry)
{
	return entry->return_address <= 1;
}

UInt pc_frames(ThreadId tid, Addr *frames, UInt most)
{
	const ShadowEntry *entry = get_shadow(tid).top;
	Bool interrupted = False;
	UInt count = 0;
	if (entry == NULL)
		return 0;
	frames[count++] = VG_(get_IP)(tid);
	while (entry->sp < VG_(get_SP)(tid))
		entry--;
	for (; entry->return_address != 0 && count < most; entry--) {
		if (is_bottom(entry)) { /* of a handler */
			interrupted = True;
			continue;
		}
		frames[count++] = entry->return_address - (interrupted ? 0 : 1);
		interrupted = False;
	}
	return count;
}

/* Counts stacks whose return addresses are not where they should be. The shadow stack is verified, not trusted. */
static void check(const ShadowEntry *top)
{
	for (const ShadowEntry *entry = top; !is_bottom(entry); entry--) {
		if (!VG_(am_is_valid_for_client)(entry->sp, sizeof(Addr), VKI_PROT_READ) ||
				*(Addr *)entry->sp != entry->return_address) {
			pc_control->stack_repairs++;
			return;
		}
	}
}

/*
 * The dynamic loader at work, for example when a function is first called: its own code, or a lock of the C library
 * that it takes. Whatever else it calls, such as constructors, belongs to the target.
 */
static Bool is_loading(const Stack *stack)
{
	UInt at = 0;
	while (pc_site(stack->sites[0])->is_lock && at + 1 < stack->depth &&
			pc_site_owner(stack->sites[at]) == OF_THE_C_LIBRARY)
		at++;
	return pc_site_owner(stack->sites[at]) == OF_THE_LOADER;
}

/* Frames of a Python program, innermost first; count 0 = there are none. */
typedef struct {
	const PythonFrame *frames;
	UInt count;
} PythonFrames;

/*
 * The sites of all frames. The interpreter's own ones are left out: it takes other ways to call the same function once
 * it ran some times. In the function that runs Python code, its frames are.
 */
static UInt collect(const ShadowEntry *top, SiteIndex site, const PythonFrames *python, SiteIndex *sites)
{
	UInt count = 0;
	UInt next = 0;
	for (const ShadowEntry *entry = top;; entry--) {
		UInt before = next;
		Bool is_first = entry == top;
		if (is_first)
			sites[count++] = site;
		while (next < python->count && python->frames[next].in < entry->sp)
			sites[count++] = python->frames[next++].site;
		if (!is_first && next == before && (python->count == 0 || !pc_python_interprets(entry[1].return_address)))
			sites[count++] = pc_site_of(entry[1].return_address - 1);
		if (is_bottom(entry))
			return count;
	}
}

static Stack *new_stack(const ShadowEntry *top, SiteIndex site, const PythonFrames *python)
{
	Stack *stack = VG_(calloc)("pc.stack", 1, sizeof(Stack));
	check(top);
	stack->depth = 1 + python->count;
	for (const ShadowEntry *entry = top; !is_bottom(entry); entry--)
		stack->depth++;
	stack->sites = VG_(malloc)("pc.stack", stack->depth * sizeof(SiteIndex));
	stack->depth = collect(top, site, python, stack->sites);
	stack->failure_point = POWERCUT_FNV_BASIS;
	for (UInt i = 0; i < stack->depth; i++)
		stack->failure_point = pc_site_hash(stack->failure_point, stack->sites[i]);
	/* Names cost time, and before a leaf they are not needed: an excluded stack is no leaf. */
	for (UInt i = 0; i < stack->depth && pc_options.leaves == NULL; i++)
		stack->excluded |= pc_site_excluded(stack->sites[i]);
	stack->excluded |= !pc_options.loader && is_loading(stack);
	stack->leaf = pc_leaf_find(stack->failure_point);
	return stack;
}

/* With Python, many paths through the interpreter give one stack: the one that was there before, or else this one. */
static Stack *the_only(Stack *stack)
{
	static HashMap by_sites;
	ULong key = POWERCUT_FNV_BASIS;
	for (UInt i = 0; i < stack->depth; i++)
		key = (key ^ (stack->sites[i] + 1)) * HASH_MULTIPLIER;
	key |= 1;
	UInt found = pc_map_get(&by_sites, key);
	if (found == HASHMAP_ABSENT) {
		pc_map_put(&by_sites, key, (UInt)VG_(addToXA)(stacks, &stack));
		return stack;
	}
	Stack *known = *(Stack **)VG_(indexXA)(stacks, found);
	if (known->depth != stack->depth || VG_(memcmp)(known->sites, stack->sites, stack->depth * sizeof(SiteIndex)) != 0)
		return stack;
	VG_(free)(stack->sites);
	VG_(free)(stack);
	return known;
}

static Stack *stack_of(const ShadowEntry *top, Addr sp, Addr thread_pointer, SiteIndex site)
{
	PythonFrames python = {NULL, 0};
	while (top->sp < sp)
		top--;
	ULong key = (top->hash ^ (site + 1)) * HASH_MULTIPLIER;
	if (UNLIKELY(pc_python_is_there())) {
		python.count = pc_python_frames(thread_pointer, &python.frames);
		for (UInt i = 0; i < python.count; i++)
			key = (key ^ (python.frames[i].site + 1)) * HASH_MULTIPLIER;
	}
	key ^= key >> 29;
	if (key == 0)
		key = 1;
	UInt found = pc_map_get(&stack_map, key);
	if (LIKELY(found != HASHMAP_ABSENT))
		return *(Stack **)VG_(indexXA)(stacks, found);
	if (stacks == NULL)
		stacks = VG_(newXA)(VG_(malloc), "pc.stacks", VG_(free), sizeof(Stack *));
	Stack *stack = new_stack(top, site, &python);
	if (python.count != 0)
		stack = the_only(stack);
	pc_map_put(&stack_map, key, (UInt)VG_(addToXA)(stacks, &stack));
	return stack;
}

Stack *pc_stack_in_helper(const VexGuestAMD64State *guest, SiteIndex site)
{
	return stack_of(shadow_of(guest)->top, guest->guest_RSP, guest->guest_FS_CONST, site);
}

Stack *pc_stack_in_syscall(ThreadId tid, SiteIndex site)
{
	ShadowStack shadow = get_shadow(tid);
	Addr thread_pointer;
	VG_(get_shadow_regs_area)
	(tid, (UChar *)&thread_pointer, 0, (PtrdiffT)offsetof(VexGuestAMD64State, guest_FS_CONST), sizeof thread_pointer);
	return stack_of(shadow.top, VG_(get_SP)(tid), thread_pointer, site);
}

Bool pc_stacks_of_all(void)
{
	return pc_options.record && (pc_options.stacks_all || pc_python_is_there());
}

UInt pc_stack_id(Stack *stack)
{
	if (stack->id != 0)
		return stack->id;
	for (UInt i = 0; i < stack->depth; i++)
		pc_site_id(stack->sites[i]);
	UInt id = pc_control->next_stack++;
	struct powercut_stack_def *record = pc_append(POWERCUT_STACK_DEF, stack->excluded ? POWERCUT_STACK_EXCLUDED : 0,
			VG_(get_running_tid)(), pc_round8(sizeof *record + stack->depth * sizeof(UInt)));
	record->stack = id;
	record->depth = stack->depth;
	record->failure_point_id = stack->failure_point;
	for (UInt i = 0; i < stack->depth; i++)
		record->sites[i] = pc_site_id(stack->sites[i]);
	pc_commit();
	stack->id = id;
	return id;
}

void pc_stacks_forget(void)
{
	pc_map_clear(&stack_map);
}
