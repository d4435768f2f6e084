/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --synchronise=ROLE:MODE:LOCK:SUCCESS:FUNCTION, once for each function of the target that acquires or releases a lock;
 * --allocator=ADDRESS:SIZE:OLD:SUCCESS:FUNCTION, once for each that allocates memory.
 *
 * LOCK is a number: [*]BASE[+OFFSET][+SCALE*BASE], where a base is an argument, 1 to 6, or the result, r; or an offset
 * alone. With * it is the pointer that lies there. SUCCESS is - for always, or WIDTH VALUE =|! NUMBER: the lowest
 * 1, 4 or 8 bytes of the result, r, or of what lies at @BASE[+OFFSET], are that number, or are not. ADDRESS is written
 * as LOCK is. SIZE, in bytes, is a product of one or two of these: ARGUMENT[xARGUMENT], or +NUMBER. OLD is - or, as LOCK,
 * where memory is that the function may move: if it stays there, it is not new.
 *
 * Functions are looked for in the symbols of each file that is loaded, under all their names: the compiler may give
 * equal functions one address. A variant that it made for some of the calls is none of them, since its arguments
 * differ. Files of the C library and of the loader are left out.
 */
#include "declared.h"

#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_xarray.h"

#include "core_api.h"
#include "hashmap.h"
#include "memory.h"
#include "options.h"
#include "powercut_trace.h"
#include "sites.h"
#include "trace.h"

#define NO_BASE 0
#define RESULT (ARGUMENTS + 1)

/* base + offset + scale * index, or the pointer that lies there. */
typedef struct {
	Bool is_pointed_to;
	UInt base;
	Long offset;
	Long scale;
	UInt index;
} Place;

typedef struct {
	Bool allocates;
	Bool acquires;
	Bool is_shared;
	Place lock; /* or the memory that was allocated */
	Place size;
	UInt times; /* an argument; 0 = none */
	Bool moves;
	Place old;
	UInt width; /* of what shows success, in bytes; 0 = it always succeeds */
	Bool is_in_memory;
	Place shows;
	Bool is_other; /* success if it is not the value */
	ULong value;
	XArray *function; /* one pattern */
} Declared;

static Declared declared[MAX_DECLARED];
static UInt declared_count;

/* By address: an index into the sets, plus 1. */
static HashMap entries;
static XArray *sets; /* of ULong */
static UInt known_generation;

/* ------------------------------------------------------ the command line */

static Bool skip(const HChar **text, const HChar *word)
{
	SizeT length = VG_(strlen)(word);
	if (VG_(strncmp)(*text, word, length) != 0)
		return False;
	*text += length;
	return True;
}

static Bool parse_number(const HChar **text, Long *number)
{
	HChar *end;
	*number = VG_(strtoll10)(*text, &end);
	Bool is_number = end != *text;
	*text = end;
	return is_number;
}

static Bool parse_base(const HChar **text, UInt *base)
{
	if (skip(text, "r")) {
		*base = RESULT;
		return True;
	}
	if (**text < '1' || **text > '0' + ARGUMENTS)
		return False;
	*base = (UInt)(**text - '0');
	*text += 1;
	return True;
}

static Bool parse_place(const HChar **text, Place *place)
{
	*place = (Place){0};
	place->is_pointed_to = skip(text, "*");
	if (**text == '+')
		place->base = NO_BASE;
	else if (!parse_base(text, &place->base))
		return False;
	while (skip(text, "+")) {
		Long number;
		if (!parse_number(text, &number))
			return False;
		if (!skip(text, "*")) {
			place->offset += number;
		} else if (place->index == NO_BASE && parse_base(text, &place->index)) {
			place->scale = number;
		} else {
			return False;
		}
	}
	return True;
}

static Bool parse_success(const HChar **text, Declared *one)
{
	Long number;
	if (skip(text, "-"))
		return True;
	if (!parse_number(text, &number) || (number != 1 && number != 4 && number != 8))
		return False;
	one->width = (UInt)number;
	one->is_in_memory = skip(text, "@");
	if (!parse_place(text, &one->shows))
		return False;
	one->is_other = skip(text, "!");
	if ((!one->is_other && !skip(text, "=")) || !parse_number(text, &number))
		return False;
	one->value = (ULong)number;
	return True;
}

/* The rest of the text is the function. */
static Bool add(const Declared *one, const HChar *text)
{
	declared[declared_count] = *one;
	const HChar *pattern = VG_(strdup)("pc.declared", text);
	XArray *function = VG_(newXA)(VG_(malloc), "pc.declared", VG_(free), sizeof(const HChar *));
	VG_(addToXA)(function, &pattern);
	declared[declared_count++].function = function;
	return *text != 0;
}

static Bool parse_size(const HChar **text, Declared *one)
{
	return parse_place(text, &one->size) && !one->size.is_pointed_to &&
			(!skip(text, "x") || parse_base(text, &one->times));
}

static Bool parse_old(const HChar **text, Declared *one)
{
	one->moves = !skip(text, "-");
	return !one->moves || parse_place(text, &one->old);
}

Bool pc_declare_allocator(const HChar *text)
{
	Declared declaration = {.allocates = True};
	Declared *one = &declaration;
	return declared_count < MAX_DECLARED && parse_place(&text, &one->lock) && skip(&text, ":") &&
			parse_size(&text, one) && skip(&text, ":") && parse_old(&text, one) && skip(&text, ":") &&
			parse_success(&text, one) && skip(&text, ":") && add(one, text);
}

Bool pc_declare(const HChar *text)
{
	Declared declaration = {0};
	Declared *one = &declaration;
	if (declared_count == MAX_DECLARED)
		return False;
	one->acquires = skip(&text, "acquire:");
	if (!one->acquires && !skip(&text, "release:"))
		return False;
	one->is_shared = skip(&text, "shared:");
	if (!one->is_shared && !skip(&text, "exclusive:"))
		return False;
	if (!parse_place(&text, &one->lock) || !skip(&text, ":") || !parse_success(&text, one) || !skip(&text, ":"))
		return False;
	return add(one, text);
}

/* --------------------------------------------------------------- symbols */

/* What the compiler made of a function for some of its calls, or split off from it. */
static Bool is_variant(const HChar *name)
{
	static const HChar *const marks[] = {".constprop", ".isra", ".part", ".cold"};
	for (UInt i = 0; i < sizeof marks / sizeof marks[0]; i++) {
		if (VG_(strstr)(name, marks[i]) != NULL)
			return True;
	}
	return False;
}

static ULong matching(const HChar *name)
{
	const HChar *demangled;
	ULong set = 0;
	if (is_variant(name))
		return 0;
	VG_(demangle)(True, False, name, &demangled);
	for (UInt i = 0; i < declared_count; i++) {
		if (pc_matches(declared[i].function, demangled) || pc_matches(declared[i].function, name))
			set |= 1ULL << i;
	}
	return set;
}

static void add_symbol(const DebugInfo *file, Int index)
{
	SymbolAddresses at;
	const HChar *name;
	const HChar **others;
	Bool is_text;
	Bool is_indirect;
	VG_(DebugInfo_syms_getidx)(file, index, &at, NULL, &name, &others, &is_text, &is_indirect, NULL);
	if (!is_text || is_indirect)
		return;
	ULong set = matching(name);
	for (; others != NULL && *others != NULL; others++)
		set |= matching(*others);
	if (set == 0 || !pc_site_is_watched(pc_site_of(at.main)))
		return;
	pc_map_put(&entries, at.main, (UInt)VG_(addToXA)(sets, &set));
	__atomic_fetch_or(&pc_control->declared_found, set, __ATOMIC_RELAXED);
}

static void read_symbols(void)
{
	pc_map_clear(&entries);
	if (sets != NULL)
		VG_(deleteXA)(sets);
	sets = VG_(newXA)(VG_(malloc), "pc.declared", VG_(free), sizeof(ULong));
	XArray *files = VG_(newXA)(VG_(malloc), "pc.declared", VG_(free), sizeof(const DebugInfo *));
	/* A look at an address may change the order of the list. */
	for (const DebugInfo *file = VG_(next_DebugInfo)(NULL); file != NULL; file = VG_(next_DebugInfo)(file))
		VG_(addToXA)(files, &file);
	for (Word i = 0; i < VG_(sizeXA)(files); i++) {
		const DebugInfo *file = *(const DebugInfo **)VG_(indexXA)(files, i);
		for (Int symbol = 0; symbol < VG_(DebugInfo_syms_howmany)(file); symbol++)
			add_symbol(file, symbol);
	}
	VG_(deleteXA)(files);
}

ULong pc_declared_at(Addr address)
{
	if (declared_count == 0)
		return 0;
	UInt generation = VG_(debuginfo_generation)();
	if (sets == NULL || generation != known_generation) {
		known_generation = generation;
		read_symbols();
	}
	UInt found = pc_map_get(&entries, address);
	return found == HASHMAP_ABSENT ? 0 : *(ULong *)VG_(indexXA)(sets, found);
}

/* ----------------------------------------------------------------- calls */

DeclaredCall pc_declared_call(const VexGuestAMD64State *guest)
{
	return (DeclaredCall){{guest->guest_RDI, guest->guest_RSI, guest->guest_RDX, guest->guest_RCX, guest->guest_R8,
								  guest->guest_R9},
			0};
}

static UWord value_of(UInt base, const DeclaredCall *call)
{
	return base == NO_BASE ? 0 : base == RESULT ? call->result : call->arguments[base - 1];
}

/* The lowest bytes at an address; False if they cannot be read. */
static Bool read(Addr address, UInt width, UWord *value)
{
	*value = 0;
	if (!pc_is_readable(address, width))
		return False;
	VG_(memcpy)(value, (const void *)address, width);
	return True;
}

static Bool find(const Place *place, const DeclaredCall *call, Addr *found)
{
	*found = value_of(place->base, call) + (UWord)place->offset + (UWord)place->scale * value_of(place->index, call);
	return !place->is_pointed_to || read(*found, sizeof(Addr), found);
}

ULong pc_declared_allocators(void)
{
	ULong set = 0;
	for (UInt i = 0; i < declared_count; i++)
		set |= (ULong)declared[i].allocates << i;
	return set;
}

Addr pc_declared_old(UInt index, const DeclaredCall *call)
{
	Addr old;
	return declared[index].moves && find(&declared[index].old, call, &old) ? old : 0;
}

Addr pc_declared_allocated(UInt index, const DeclaredCall *call, SizeT *size)
{
	const Declared *one = &declared[index];
	Addr address;
	if (!pc_declared_succeeded(index, call) || !find(&one->lock, call, &address) || !find(&one->size, call, size))
		return 0;
	if (one->times != NO_BASE)
		*size *= value_of(one->times, call);
	return address;
}

Bool pc_declared_acquires(UInt index)
{
	return declared[index].acquires;
}

UInt pc_declared_mode(UInt index)
{
	return declared[index].is_shared ? POWERCUT_SHARED : 0;
}

Addr pc_declared_lock(UInt index, const DeclaredCall *call)
{
	Addr lock;
	return find(&declared[index].lock, call, &lock) ? lock : 0;
}

Bool pc_declared_succeeded(UInt index, const DeclaredCall *call)
{
	const Declared *one = &declared[index];
	UWord value;
	if (one->width == 0)
		return True;
	if (!find(&one->shows, call, &value) || (one->is_in_memory && !read(value, one->width, &value)))
		return False;
	ULong bits = one->width == 8 ? ~0ULL : (1ULL << (8 * one->width)) - 1;
	return ((value & bits) == (one->value & bits)) != one->is_other;
}

void pc_declared_entered(ULong set)
{
	__atomic_fetch_or(&pc_control->declared_entered, set, __ATOMIC_RELAXED);
}

void pc_declared_took(UInt index)
{
	__atomic_fetch_or(&pc_control->declared_took, 1ULL << index, __ATOMIC_RELAXED);
}
