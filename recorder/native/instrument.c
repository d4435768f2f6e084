/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is added to the target's code.
 *
 * A store: a check `(address - start of hull) <u length of hull`. If it holds, a call after the store reads the value
 * back from memory. With several processes, a call before it takes the lock and one after both releases it. A store
 * relative to the stack pointer gets nothing, unless a stack is known to lie in PM. A locked instruction: a check for
 * PM work, and if there is any, a call before the instruction. A call and a return: the shadow stack, inlined. Flushes
 * and fences are calls already, made by the decoder (decode.c). With --atomics=yes, stores look whether a word is held
 * where they go.
 */
#include "instrument.h"

#include "pub_tool_debuginfo.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_tooliface.h"
#include "libvex_guest_amd64.h"
#include "libvex_guest_offsets.h"

#include "allocators.h"
#include "declared.h"
#include "events.h"
#include "executed.h"
#include "hashmap.h"
#include "accesses.h"
#include "loads.h"
#include "locks.h"
#include "mappings.h"
#include "options.h"
#include "reads.h"
#include "returns.h"
#include "shadow.h"
#include "sites.h"
#include "stacks.h"
#include "threads.h"
#include "trace.h"
#include "words.h"

#define LARGEST_FRAME 0x100000L
/* A frame of more than this many bytes takes the slow path. */
#define SHADOW_FAR 0x10000UL

typedef struct {
	IRSB *out;
	Addr pc; /* of the instruction we are in */
	UInt length; /* its bytes */
	SiteIndex site;
	Bool site_known;
	Bool decoded; /* the three below are known */
	Bool locked; /* has a fence's effect */
	Bool non_temporal;
	Bool masked; /* maskmovdqu, maskmovq: part of what is stored was there before */
	Bool string; /* rep movs, rep stos */
	Bool exchanges; /* xchg */
	Bool swaps; /* ... or cmpxchg, cmpxchg8b, cmpxchg16b */
	IRExpr *count; /* what the instruction put into rcx, NULL = nothing yet */
	Bool *from_sp; /* by temporary: stack pointer plus a constant */
	Bool *in_stack; /* by temporary: stack pointer plus something */
	Bool begins; /* the entry of a function of --begin is in it */
	Bool sp_jumped; /* the stack pointer may have moved to another stack since the block began */
} Block;

/* ------------------------------------------------------ building blocks */

static IRExpr *u64(ULong value)
{
	return IRExpr_Const(IRConst_U64(value));
}

static IRExpr *temp_of(Block *block, IRType type, IRExpr *expression)
{
	IRTemp temp = newIRTemp(block->out->tyenv, type);
	addStmtToIRSB(block->out, IRStmt_WrTmp(temp, expression));
	return IRExpr_RdTmp(temp);
}

static IRExpr *binop(Block *block, IRType type, IROp op, IRExpr *a, IRExpr *b)
{
	return temp_of(block, type, IRExpr_Binop(op, a, b));
}

static IRExpr *load64(Block *block, IRExpr *address)
{
	return temp_of(block, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, address));
}

static IRExpr *get64(Block *block, Int offset)
{
	return temp_of(block, Ity_I64, IRExpr_Get(offset, Ity_I64));
}

/* Not every back end has And for one-bit values, so this uses 32 bits. */
static IRExpr *and1(Block *block, IRExpr *a, IRExpr *b)
{
	IRExpr *wide_a = temp_of(block, Ity_I32, IRExpr_Unop(Iop_1Uto32, a));
	IRExpr *wide_b = temp_of(block, Ity_I32, IRExpr_Unop(Iop_1Uto32, b));
	IRExpr *both = binop(block, Ity_I32, Iop_And32, wide_a, wide_b);
	return temp_of(block, Ity_I1, IRExpr_Unop(Iop_32to1, both));
}

static void call(Block *block, IRDirty *dirty, IRExpr *guard)
{
	if (guard != NULL)
		dirty->guard = guard;
	addStmtToIRSB(block->out, IRStmt_Dirty(dirty));
}

IRDirty *pc_dirty_with_guest(const HChar *name, void *function, IRExpr **args)
{
	IRDirty *dirty = unsafeIRDirty_0_N(0, name, VG_(fnptr_to_fnentry)(function), args);
	VG_(memset)(dirty->fxState, 0, sizeof dirty->fxState);
	dirty->nFxState = 2;
	dirty->fxState[0].fx = Ifx_Read;
	dirty->fxState[0].offset = OFFSET_amd64_RSP;
	dirty->fxState[0].size = 8;
	dirty->fxState[1].fx = Ifx_Modify;
	dirty->fxState[1].offset = SHADOW_OFFSET_TOP;
	dirty->fxState[1].size = sizeof(ShadowStack);
	return dirty;
}

/* The helper reads the call stack and does not change it. */
static IRDirty *dirty_reading_guest(const HChar *name, void *function, IRExpr **args)
{
	IRDirty *dirty = pc_dirty_with_guest(name, function, args);
	dirty->fxState[1].fx = Ifx_Read;
	return dirty;
}

/* ------------------------------------------------------ the instruction */

static SiteIndex site_of(Block *block)
{
	if (!block->site_known)
		block->site = pc_site_of(block->pc);
	block->site_known = True;
	return block->site;
}

static Bool is_legacy_prefix(UChar byte)
{
	return byte == 0x66 || byte == 0x67 || byte == 0x2e || byte == 0x36 || byte == 0x3e || byte == 0x26 ||
			byte == 0x64 || byte == 0x65 || byte == 0xf2 || byte == 0xf3 || byte == 0xf0;
}

/* movnti; movntps, movntpd; movntq, movntdq; maskmovq, maskmovdqu */
static Bool is_non_temporal_0f(UChar opcode)
{
	return opcode == 0xc3 || opcode == 0x2b || opcode == 0xe7 || opcode == 0xf7;
}

/* movs, stos */
static Bool is_string_store(UChar opcode)
{
	return opcode == 0xa4 || opcode == 0xa5 || opcode == 0xaa || opcode == 0xab;
}

/* The intermediate code does not show whether a store is non-temporal or has a fence's effect; the bytes do. */
static void decode(Block *block)
{
	const UChar *code = (const UChar *)block->pc;
	UInt at = 0;
	Bool lock_prefix = False;
	Bool repeat_prefix = False;
	if (block->decoded)
		return;
	block->decoded = True;
	block->locked = False;
	block->non_temporal = False;
	block->masked = False;
	block->string = False;
	block->exchanges = False;
	block->swaps = False;
	for (; at < block->length && is_legacy_prefix(code[at]); at++) {
		lock_prefix |= code[at] == 0xf0;
		repeat_prefix |= code[at] == 0xf2 || code[at] == 0xf3;
	}
	if (at + 2 < block->length && code[at] == 0xc5) {
		block->non_temporal = is_non_temporal_0f(code[at + 2]) && code[at + 2] != 0xc3;
		block->masked = code[at + 2] == 0xf7;
		return;
	}
	if (at + 3 < block->length && code[at] == 0xc4) {
		block->non_temporal = (code[at + 1] & 0x1f) == 1 && is_non_temporal_0f(code[at + 3]) && code[at + 3] != 0xc3;
		block->masked = (code[at + 1] & 0x1f) == 1 && code[at + 3] == 0xf7;
		return;
	}
	if (at < block->length && (code[at] & 0xf0) == 0x40)
		at++;
	if (at + 1 < block->length && code[at] == 0x0f) {
		block->non_temporal = is_non_temporal_0f(code[at + 1]) ||
				(code[at + 1] == 0x38 && at + 2 < block->length &&
						(code[at + 2] == 0xf8 || code[at + 2] == 0xf9)); /* movdir64b, movdiri */
		if (code[at + 1] == 0xc3 && at > 0 && code[0] == 0x66)
			block->non_temporal = False;
	}
	block->masked = at + 1 < block->length && code[at] == 0x0f && code[at + 1] == 0xf7;
	block->string = repeat_prefix && at < block->length && is_string_store(code[at]);
	block->exchanges = at < block->length && (code[at] == 0x86 || code[at] == 0x87);
	block->locked = lock_prefix || block->exchanges;
	block->swaps = block->exchanges ||
			(at + 1 < block->length && code[at] == 0x0f &&
					(code[at + 1] == 0xb0 || code[at + 1] == 0xb1 || code[at + 1] == 0xc7));
}

/* --------------------------------------------------------------- stores */

static Bool is_from_sp(const Block *block, const IRExpr *expression)
{
	return expression->tag == Iex_RdTmp && block->from_sp[expression->Iex.RdTmp.tmp];
}

static IRExpr *is_in_hull(Block *block, IRExpr *address)
{
	IRExpr *start = get64(block, SHADOW_OFFSET_HULL + offsetof(Hull, start));
	IRExpr *length = get64(block, SHADOW_OFFSET_HULL + offsetof(Hull, length));
	IRExpr *distance = binop(block, Ity_I64, Iop_Sub64, address, start);
	return binop(block, Ity_I1, Iop_CmpLT64U, distance, length);
}

/* The condition for a store's calls: the address is in the hull, and the store is made. */
static IRExpr *store_guard(Block *block, IRExpr *address, IRExpr *condition)
{
	IRExpr *guard = is_in_hull(block, address);
	return condition == NULL ? guard : and1(block, guard, condition);
}

/*
 * No other process may see a store that is not recorded yet. It could act on that store, record its own first, and be
 * stopped there.
 */
static void add_begin(Block *block, IRExpr *address, Int size, IRExpr *guard)
{
	IRExpr **args = mkIRExprVec_2(address, u64((ULong)size));
	if (pc_has_company)
		call(block, unsafeIRDirty_0_N(0, "pc_store_begins", VG_(fnptr_to_fnentry)(&pc_store_begins), args), guard);
}

static void add_end(Block *block, IRExpr *guard)
{
	if (pc_has_company)
		call(block, unsafeIRDirty_0_N(0, "pc_store_ends", VG_(fnptr_to_fnentry)(&pc_store_ends), mkIRExprVec_0()),
				guard);
}

static void add_before_store(Block *block, IRExpr *address, Int size, IRExpr *guard)
{
	if (!pc_options.every_store)
		return;
	IRExpr **args = mkIRExprVec_4(IRExpr_GSPTR(), address, u64((ULong)size), u64(site_of(block)));
	decode(block);
	if (block->masked)
		call(block, pc_dirty_with_guest("pc_before_masked_store", &pc_before_masked_store, args), guard);
	else
		call(block, pc_dirty_with_guest("pc_before_store", &pc_before_store, args), guard);
}

static void add_on_store(Block *block, IRExpr *address, Int size, IRExpr *guard)
{
	decode(block);
	ULong flags = (block->non_temporal ? POWERCUT_STORE_NON_TEMPORAL : 0) | (block->locked ? POWERCUT_STORE_LOCKED : 0);
	ULong what = (ULong)size << STORE_SIZE_SHIFT | flags << STORE_FLAGS_SHIFT | site_of(block);
	if (block->masked) {
		IRExpr **masked = mkIRExprVec_3(IRExpr_GSPTR(), address, u64(what));
		call(block, dirty_reading_guest("pc_on_masked_store", &pc_on_masked_store, masked), guard);
		return;
	}
	if (block->string && block->count != NULL) {
		IRExpr **string = mkIRExprVec_4(IRExpr_GSPTR(), address, u64(what), block->count);
		call(block, dirty_reading_guest("pc_on_string_store", &pc_on_string_store, string), guard);
		return;
	}
	if (pc_stacks_of_all() && !pc_options.every_store) {
		/* Nothing happens between the store and the call, so the stack is the one before the store. */
		IRExpr **with_guest = mkIRExprVec_3(IRExpr_GSPTR(), address, u64(what));
		call(block, dirty_reading_guest("pc_on_store_with_stack", &pc_on_store_with_stack, with_guest), guard);
		return;
	}
	IRExpr **args = mkIRExprVec_2(address, u64(what));
	call(block, unsafeIRDirty_0_N(0, "pc_on_store", VG_(fnptr_to_fnentry)(&pc_on_store), args), guard);
}

/* Most stores of compiled code go to the stack, relative to the stack pointer. Stacks in PM are rare, and detected. */
static Bool is_on_volatile_stack(const Block *block, const IRExpr *address)
{
	return is_from_sp(block, address) && !block->sp_jumped && !pc_stack_in_pm;
}

/* Before it, with --accesses=all. */
static void add_on_access(Block *block, IRExpr *address, Int size, UInt flags, IRExpr *condition)
{
	if (!pc_accesses_wanted(site_of(block)) || is_on_volatile_stack(block, address))
		return;
	decode(block);
	flags |= block->locked ? POWERCUT_ACCESS_LOCKED : 0;
	ULong what = (ULong)size << ACCESS_SIZE_SHIFT | (ULong)flags << ACCESS_FLAGS_SHIFT | site_of(block);
	IRExpr **args = mkIRExprVec_3(IRExpr_GSPTR(), address, u64(what));
	call(block, dirty_reading_guest("pc_on_access", &pc_on_access, args), condition);
}

/* After the store: it may release a word. */
static void add_on_word_stored(Block *block, IRExpr *address, Int size, IRExpr *condition)
{
	if (!pc_options.atomics)
		return;
	IRExpr *guard = NULL;
	for (Int at = 0; at < size; at += 8) {
		IRExpr *place = at == 0 ? address : binop(block, Ity_I64, Iop_Add64, address, u64((ULong)at));
		IRExpr *unit = binop(block, Ity_I64, Iop_Shr64, place, IRExpr_Const(IRConst_U8(3)));
		IRExpr *set = binop(block, Ity_I64, Iop_And64, unit, u64(WORD_SETS - 1));
		IRExpr *entry = binop(block, Ity_I64, Iop_Add64, set, u64((Addr)pc_words_held));
		IRExpr *held = temp_of(block, Ity_I8, IRExpr_Load(Iend_LE, Ity_I8, entry));
		guard = guard == NULL ? held : binop(block, Ity_I8, Iop_Or8, guard, held);
	}
	guard = binop(block, Ity_I1, Iop_CmpNE8, guard, IRExpr_Const(IRConst_U8(0)));
	if (condition != NULL)
		guard = and1(block, guard, condition);
	IRExpr **args = mkIRExprVec_3(IRExpr_GSPTR(), address, u64((ULong)size << WORD_SIZE_SHIFT | site_of(block)));
	call(block, dirty_reading_guest("pc_on_word_stored", &pc_on_word_stored, args), guard);
}

static void instrument_store(Block *block, IRStmt *statement, IRExpr *address, IRExpr *data, IRExpr *condition)
{
	Int size = sizeofIRType(typeOfIRExpr(block->out->tyenv, data));
	if (is_on_volatile_stack(block, address)) {
		addStmtToIRSB(block->out, statement);
		if (pc_words_on_stacks)
			add_on_word_stored(block, address, size, condition);
		return;
	}
	IRExpr *guard = store_guard(block, address, condition);
	add_on_access(block, address, size, POWERCUT_ACCESS_STORE, condition);
	add_begin(block, address, size, guard);
	add_before_store(block, address, size, guard);
	addStmtToIRSB(block->out, statement);
	add_on_store(block, address, size, guard);
	add_end(block, guard);
	add_on_word_stored(block, address, size, condition);
}

/* ---------------------------------------------------------------- loads */

static void add_on_load(Block *block, IRExpr *address, Int size, IRExpr *guard)
{
	decode(block);
	ULong flags = block->locked ? POWERCUT_LOAD_LOCKED : 0;
	ULong what = (ULong)size << LOAD_SIZE_SHIFT | flags << LOAD_FLAGS_SHIFT | site_of(block);
	IRExpr **args = mkIRExprVec_3(IRExpr_GSPTR(), address, u64(what));
	call(block, dirty_reading_guest("pc_on_load", &pc_on_load, args), guard);
}

/* Before the load, with --reads=yes, and with --races=yes. */
static void add_on_read(Block *block, IRExpr *address, Int size, IRExpr *condition)
{
	add_on_access(block, address, size, 0, condition);
	if ((!pc_options.reads && !pc_loads_recorded) || is_on_volatile_stack(block, address))
		return;
	IRExpr *guard = store_guard(block, address, condition);
	IRExpr **args = mkIRExprVec_2(address, u64((ULong)size));
	if (pc_options.reads)
		call(block, unsafeIRDirty_0_N(0, "pc_on_read", VG_(fnptr_to_fnentry)(&pc_on_read), args), guard);
	if (pc_loads_recorded)
		add_on_load(block, address, size, guard);
}

static void instrument_load(Block *block, const IRExpr *value)
{
	if (value->tag == Iex_Load)
		add_on_read(block, value->Iex.Load.addr, sizeofIRType(value->Iex.Load.ty), NULL);
}

static void instrument_guarded_load(Block *block, const IRLoadG *load)
{
	IRType result;
	IRType loaded;
	typeOfIRLoadGOp(load->cvt, &result, &loaded);
	add_on_read(block, load->addr, sizeofIRType(loaded), load->guard);
}

/*
 * Valgrind's helpers that read or write memory: 80-bit x87, fxsave, xsave... Those that write may leave bytes
 * unchanged, as xsave does, so for --reads=yes they count as reads, too.
 */
static void instrument_dirty(Block *block, IRStmt *statement)
{
	IRDirty *dirty = statement->Ist.Dirty.details;
	if (dirty->mFx == Ifx_None) {
		addStmtToIRSB(block->out, statement);
		return;
	}
	Bool always = dirty->guard->tag == Iex_Const && dirty->guard->Iex.Const.con->Ico.U1;
	add_on_read(block, dirty->mAddr, dirty->mSize, always ? NULL : dirty->guard);
	if (dirty->mFx == Ifx_Read) {
		addStmtToIRSB(block->out, statement);
		return;
	}
	IRExpr *guard = store_guard(block, dirty->mAddr, always ? NULL : dirty->guard);
	add_on_access(block, dirty->mAddr, dirty->mSize, POWERCUT_ACCESS_STORE, always ? NULL : dirty->guard);
	add_begin(block, dirty->mAddr, dirty->mSize, guard);
	add_before_store(block, dirty->mAddr, dirty->mSize, guard);
	addStmtToIRSB(block->out, statement);
	add_on_store(block, dirty->mAddr, dirty->mSize, guard);
	add_end(block, guard);
}

static void add_fence(Block *block)
{
	decode(block);
	if (!block->locked)
		return;
	IRExpr *work = temp_of(block, Ity_I32, IRExpr_Load(Iend_LE, Ity_I32, u64((Addr)&pc_work)));
	IRExpr *pending = temp_of(block, Ity_I32, IRExpr_Load(Iend_LE, Ity_I32, u64((Addr)&pc_control->pending)));
	IRExpr *stored = binop(block, Ity_I32, Iop_And32, pending, IRExpr_Const(IRConst_U32(PC_PENDING_STORE)));
	IRExpr *either = binop(block, Ity_I32, Iop_Or32, work, stored);
	IRExpr *guard = binop(block, Ity_I1, Iop_CmpNE32, either, IRExpr_Const(IRConst_U32(0)));
	IRExpr **args = mkIRExprVec_3(IRExpr_GSPTR(), u64(POWERCUT_LOCKED), u64(site_of(block)));
	pc_site_is_lock(site_of(block));
	call(block, pc_dirty_with_guest("pc_on_fence", &pc_on_fence, args), guard);
}

static IRExpr *equal(Block *block, IRExpr *a, IRExpr *b)
{
	switch (typeOfIRExpr(block->out->tyenv, a)) {
	case Ity_I8: return binop(block, Ity_I1, Iop_CmpEQ8, a, b);
	case Ity_I16: return binop(block, Ity_I1, Iop_CmpEQ16, a, b);
	case Ity_I32: return binop(block, Ity_I1, Iop_CmpEQ32, a, b);
	default: return binop(block, Ity_I1, Iop_CmpEQ64, a, b);
	}
}

static IRExpr *as_i64(Block *block, IRExpr *value)
{
	switch (typeOfIRExpr(block->out->tyenv, value)) {
	case Ity_I8: return temp_of(block, Ity_I64, IRExpr_Unop(Iop_8Uto64, value));
	case Ity_I16: return temp_of(block, Ity_I64, IRExpr_Unop(Iop_16Uto64, value));
	case Ity_I32: return temp_of(block, Ity_I64, IRExpr_Unop(Iop_32Uto64, value));
	default: return value;
	}
}

/* Whether the compiler's atomics count there. The C library's are known by its functions. */
static Bool counts_words(Block *block)
{
	return pc_options.atomics && pc_site_is_watched(site_of(block));
}

/* After a swap that was made: if it changed the word. */
static void add_on_word_swapped(Block *block, const IRCAS *cas, Int size, IRExpr *success)
{
	IRExpr *old = IRExpr_RdTmp(cas->oldLo);
	IRExpr *same = equal(block, old, cas->dataLo);
	if (cas->dataHi != NULL)
		same = and1(block, same, equal(block, IRExpr_RdTmp(cas->oldHi), cas->dataHi));
	IRExpr *changed = temp_of(block, Ity_I1, IRExpr_Unop(Iop_Not1, same));
	ULong what = (ULong)size << WORD_SIZE_SHIFT | (block->exchanges ? WORD_EXCHANGED : 0) | site_of(block);
	IRExpr **args = mkIRExprVec_5(IRExpr_GSPTR(), cas->addr, u64(what), as_i64(block, old), as_i64(block, cas->dataLo));
	call(block, dirty_reading_guest("pc_on_word_swapped", &pc_on_word_swapped, args), and1(block, success, changed));
}

static void instrument_cas(Block *block, IRStmt *statement)
{
	IRCAS *cas = statement->Ist.CAS.details;
	Int size = sizeofIRType(typeOfIRExpr(block->out->tyenv, cas->dataLo)) * (cas->dataHi == NULL ? 1 : 2);
	add_fence(block);
	add_on_access(block, cas->addr, size, POWERCUT_ACCESS_STORE, NULL);
	decode(block);
	Bool is_word = block->swaps && counts_words(block);
	if (!is_word)
		add_on_read(block, cas->addr, size, NULL);
	IRExpr *guard = is_in_hull(block, cas->addr);
	add_begin(block, cas->addr, size, guard);
	add_before_store(block, cas->addr, size, guard);
	addStmtToIRSB(block->out, statement);
	IRExpr *success = equal(block, IRExpr_RdTmp(cas->oldLo), cas->expdLo);
	if (cas->dataHi != NULL)
		success = and1(block, success, equal(block, IRExpr_RdTmp(cas->oldHi), cas->expdHi));
	if (is_word) { /* what it is comes before what is done to it */
		add_on_word_swapped(block, cas, size, success);
		add_on_read(block, cas->addr, size, NULL);
	}
	add_on_store(block, cas->addr, size, and1(block, guard, success));
	add_end(block, guard);
	add_on_word_stored(block, cas->addr, size, success);
}

/* --------------------------------------------------------- shadow stack */

static IRExpr *shadow_entry_field(Block *block, IRExpr *entry, ULong offset)
{
	return offset == 0 ? entry : binop(block, Ity_I64, Iop_Add64, entry, u64(offset));
}

static void store64(Block *block, IRExpr *address, IRExpr *value)
{
	addStmtToIRSB(block->out, IRStmt_Store(Iend_LE, address, value));
}

static void add_shadow_fix(Block *block, IRExpr *sp, IRExpr *guard)
{
	IRExpr **args = mkIRExprVec_2(IRExpr_GSPTR(), sp);
	call(block, pc_dirty_with_guest("pc_shadow_fix", &pc_shadow_fix, args), guard);
}

/* At the end of a call: the stack pointer points to the return address. */
static void add_push(Block *block, Addr return_address)
{
	IRExpr *sp = get64(block, OFFSET_amd64_RSP);
	IRExpr *top = get64(block, SHADOW_OFFSET_TOP);
	IRExpr *limit = get64(block, SHADOW_OFFSET_LIMIT);
	/* In the usual case top.sp - sp is in 1..FAR and there is room. All others take the slow path first. */
	IRExpr *distance = binop(block, Ity_I64, Iop_Sub64, load64(block, top), sp);
	IRExpr *below = binop(block, Ity_I64, Iop_Sub64, distance, u64(1));
	IRExpr *usual = binop(block, Ity_I1, Iop_CmpLT64U, below, u64(SHADOW_FAR));
	IRExpr *room = binop(block, Ity_I1, Iop_CmpLT64U, top, limit);
	IRExpr *fine = and1(block, usual, room);
	add_shadow_fix(block, sp, temp_of(block, Ity_I1, IRExpr_Unop(Iop_Not1, fine)));

	top = get64(block, SHADOW_OFFSET_TOP);
	IRExpr *outer = load64(block, shadow_entry_field(block, top, offsetof(ShadowEntry, hash)));
	IRExpr *mixed = binop(block, Ity_I64, Iop_Xor64, outer, u64(return_address));
	IRExpr *spread = binop(block, Ity_I64, Iop_Mul64, mixed, u64(HASH_MULTIPLIER));
	IRExpr *high = binop(block, Ity_I64, Iop_Shr64, spread, IRExpr_Const(IRConst_U8(32)));
	IRExpr *hash = binop(block, Ity_I64, Iop_Xor64, spread, high);
	IRExpr *entry = binop(block, Ity_I64, Iop_Add64, top, u64(sizeof(ShadowEntry)));
	store64(block, entry, sp);
	store64(block, shadow_entry_field(block, entry, offsetof(ShadowEntry, return_address)), u64(return_address));
	store64(block, shadow_entry_field(block, entry, offsetof(ShadowEntry, hash)), hash);
	addStmtToIRSB(block->out, IRStmt_Put(SHADOW_OFFSET_TOP, entry));
}

/* At the end of a return: the stack pointer is above the return address. */
static void add_pop(Block *block)
{
	IRExpr *sp = get64(block, OFFSET_amd64_RSP);
	IRExpr *top = get64(block, SHADOW_OFFSET_TOP);
	IRExpr *is_over = binop(block, Ity_I1, Iop_CmpLT64U, load64(block, top), sp);
	IRExpr *outer = binop(block, Ity_I64, Iop_Sub64, top, u64(sizeof(ShadowEntry)));
	IRExpr *now = temp_of(block, Ity_I64, IRExpr_ITE(is_over, outer, top));
	addStmtToIRSB(block->out, IRStmt_Put(SHADOW_OFFSET_TOP, now));
}

/* The stack pointer went up by a constant: the entries below it have returned. */
static void add_move_of_sp(Block *block, IRExpr *sp)
{
	IRExpr *top = get64(block, SHADOW_OFFSET_TOP);
	IRExpr *is_over = binop(block, Ity_I1, Iop_CmpLT64U, load64(block, top), sp);
	add_shadow_fix(block, binop(block, Ity_I64, Iop_Sub64, sp, u64(1)), is_over);
}

/*
 * The stack pointer got any value. Between its old value and just past the innermost call's return address, a frame was
 * left; anything else is examined.
 */
static void add_new_sp(Block *block, IRExpr *old, IRExpr *sp)
{
	IRExpr *top = get64(block, SHADOW_OFFSET_TOP);
	IRExpr *end = binop(block, Ity_I64, Iop_Add64, load64(block, top), u64(sizeof(Addr)));
	IRExpr *frame = binop(block, Ity_I64, Iop_Sub64, end, old);
	IRExpr *moved = binop(block, Ity_I64, Iop_Sub64, sp, old);
	IRExpr **args = mkIRExprVec_3(IRExpr_GSPTR(), old, sp);
	call(block, pc_dirty_with_guest("pc_stack_jumps", &pc_stack_jumps, args),
			binop(block, Ity_I1, Iop_CmpLT64U, frame, moved));
}

static void add_jump_of_sp(Block *block, IRExpr *old, const IRExpr *value)
{
	IRExpr *sp = get64(block, OFFSET_amd64_RSP);
	if (value->tag == Iex_RdTmp && block->in_stack[value->Iex.RdTmp.tmp])
		add_move_of_sp(block, sp);
	else
		add_new_sp(block, old, sp);
	if (pc_stack_in_pm)
		return;
	block->sp_jumped = True;
	IRExpr **args = mkIRExprVec_1(sp);
	call(block, unsafeIRDirty_0_N(0, "pc_stack_is_at", VG_(fnptr_to_fnentry)(&pc_stack_is_at), args),
			is_in_hull(block, sp));
}

/*
 * An address no farther from the stack pointer than a frame may reach is on the stack. A mask may lead anywhere, unless
 * it aligns.
 */
static Bool keeps_near(IROp op, Long constant)
{
	Bool is_small = constant >= -LARGEST_FRAME && constant <= LARGEST_FRAME;
	switch (op) {
	case Iop_Add64:
	case Iop_Sub64: return is_small;
	case Iop_And64: return is_small && constant < 0;
	default: return False;
	}
}

/* The stack pointer plus or minus something, or aligned. */
static Bool is_in_stack(const Block *block, const IRExpr *value)
{
	if (value->tag != Iex_Binop || value->Iex.Binop.arg1->tag != Iex_RdTmp)
		return False;
	IROp op = value->Iex.Binop.op;
	return (op == Iop_Add64 || op == Iop_Sub64 || op == Iop_And64) &&
			block->in_stack[value->Iex.Binop.arg1->Iex.RdTmp.tmp];
}

static void note_temp(Block *block, IRTemp temp, const IRExpr *value)
{
	Bool from_sp = False;
	if (value->tag == Iex_Get)
		from_sp = value->Iex.Get.offset == OFFSET_amd64_RSP && value->Iex.Get.ty == Ity_I64;
	else if (value->tag == Iex_RdTmp)
		from_sp = is_from_sp(block, value);
	else if (value->tag == Iex_Binop && value->Iex.Binop.arg2->tag == Iex_Const)
		from_sp = is_from_sp(block, value->Iex.Binop.arg1) &&
				keeps_near(value->Iex.Binop.op, (Long)value->Iex.Binop.arg2->Iex.Const.con->Ico.U64);
	block->from_sp[temp] = from_sp;
	block->in_stack[temp] = from_sp || is_in_stack(block, value);
}

/* -------------------------------------------------- entries of functions */

static Bool is_join(const HChar *name)
{
	while (*name == '_')
		name++;
	return VG_STREQN(12, name, "pthread_join") ? name[12] == 0 || name[12] == '@'
											   : VG_STREQN(9, name, "thrd_join") && (name[9] == 0 || name[9] == '@');
}

static void add_mark(Block *block, UInt kind)
{
	IRExpr **args = mkIRExprVec_2(u64(kind), u64(site_of(block)));
	call(block, unsafeIRDirty_0_N(0, "pc_on_mark", VG_(fnptr_to_fnentry)(&pc_on_mark), args), NULL);
}

/* The helper reads the registers that pass arguments and results, too. */
static void call_with_registers(Block *block, const HChar *name, void *function, IRExpr **args)
{
	IRDirty *dirty = pc_dirty_with_guest(name, function, args);
	dirty->fxState[dirty->nFxState].fx = Ifx_Read;
	dirty->fxState[dirty->nFxState].offset = OFFSET_amd64_RAX;
	dirty->fxState[dirty->nFxState].size = OFFSET_amd64_R9 + sizeof(ULong) - OFFSET_amd64_RAX;
	dirty->nFxState++;
	call(block, dirty, NULL);
}

static void instrument_entry(Block *block)
{
	const HChar *name;
	if (!VG_(get_fnname_if_entry)(VG_(current_DiEpoch)(), block->pc, &name))
		return;
	if (is_join(name)) {
		IRExpr **args = mkIRExprVec_1(get64(block, OFFSET_amd64_RDI));
		call(block, unsafeIRDirty_0_N(0, "pc_on_join_entered", VG_(fnptr_to_fnentry)(&pc_on_join_entered), args), NULL);
	}
	/* The demangled text does not live long, so the lists are consulted before any other name is looked up. */
	Int lock_function = pc_options.races ? pc_lock_function(name) : -1;
	Int allocator = pc_options.races ? pc_allocator_function(name) : -1;
	Int block_function = pc_block_function(name);
	Bool begins = pc_matches(pc_options.begin, name);
	Bool ends = pc_matches(pc_options.end, name);
	block->begins |= begins;
	if (begins)
		add_mark(block, POWERCUT_MARK_BEGIN);
	if (ends)
		add_mark(block, POWERCUT_MARK_END);
	if (lock_function >= 0) {
		IRExpr **args = mkIRExprVec_5(IRExpr_GSPTR(), u64((ULong)lock_function), get64(block, OFFSET_amd64_RDI),
				get64(block, OFFSET_amd64_RSI), u64(site_of(block)));
		call(block, pc_dirty_with_guest("pc_on_lock_entered", &pc_on_lock_entered, args), NULL);
	}
	if (block_function >= 0) {
		IRExpr **args = mkIRExprVec_2(IRExpr_GSPTR(), u64((ULong)block_function));
		call_with_registers(block, "pc_on_block_entered", &pc_on_block_entered, args);
	}
	if (allocator >= 0) {
		IRExpr **args = mkIRExprVec_2(IRExpr_GSPTR(), u64((ULong)allocator));
		call_with_registers(block, "pc_on_allocator_entered", &pc_on_allocator_entered, args);
	}
}

/* What the campaign declares has other names, too, so this goes by address. */
static void instrument_declared_entry(Block *block)
{
	ULong set = pc_options.races ? pc_declared_at(block->pc) : 0;
	ULong allocators = set == 0 ? 0 : set & pc_declared_allocators();
	if (set != allocators) {
		IRExpr **args = mkIRExprVec_3(IRExpr_GSPTR(), u64(set & ~allocators), u64(site_of(block)));
		call_with_registers(block, "pc_on_declared_entered", &pc_on_declared_entered, args);
	}
	if (allocators != 0) {
		IRExpr **args = mkIRExprVec_2(IRExpr_GSPTR(), u64(allocators));
		call_with_registers(block, "pc_on_own_allocator_entered", &pc_on_own_allocator_entered, args);
	}
}

/* Functions whose return matters return to this place. */
static void instrument_return(Block *block, Addr pc)
{
	IRExpr **args = mkIRExprVec_3(IRExpr_GSPTR(), u64(pc), get64(block, OFFSET_amd64_RAX));
	call(block, pc_dirty_with_guest("pc_on_lock_returned", &pc_on_lock_returned, args), NULL);
	args = mkIRExprVec_2(IRExpr_GSPTR(), u64(pc));
	call_with_registers(block, "pc_on_allocator_returned", &pc_on_allocator_returned, args);
	args = mkIRExprVec_2(IRExpr_GSPTR(), u64(pc));
	call_with_registers(block, "pc_on_block_returned", &pc_on_block_returned, args);
}

/* ------------------------------------------------------------- the block */

/* VEX follows direct calls, so the function called may begin in the middle of a block. */
static Bool is_direct_call(const Block *block)
{
	const UChar *code = (const UChar *)block->pc;
	UInt at = 0;
	while (at < block->length && (is_legacy_prefix(code[at]) || (code[at] & 0xf0) == 0x40))
		at++;
	return at < block->length && code[at] == 0xe8;
}

static Bool follows(const Block *block, Addr pc)
{
	return block->length != 0 && pc == block->pc + block->length;
}

/* Before the instruction at `next`. */
static void end_instruction(Block *block, Addr next)
{
	if (block->length != 0 && !follows(block, next) && is_direct_call(block))
		add_push(block, block->pc + block->length);
}

static void next_instruction(Block *block, Addr pc, UInt length)
{
	Bool is_next = follows(block, pc);
	block->pc = pc;
	block->length = length;
	block->site_known = False;
	block->decoded = False;
	block->count = NULL;
	if (is_next)
		return;
	if (pc_options.races && pc_returns_to(pc))
		instrument_return(block, pc);
	instrument_entry(block);
	instrument_declared_entry(block);
}

static void instrument_statement(Block *block, IRStmt *statement)
{
	switch (statement->tag) {
	case Ist_IMark:
		end_instruction(block, statement->Ist.IMark.addr);
		addStmtToIRSB(block->out, statement);
		next_instruction(block, statement->Ist.IMark.addr, statement->Ist.IMark.len);
		break;
	case Ist_WrTmp:
		instrument_load(block, statement->Ist.WrTmp.data);
		addStmtToIRSB(block->out, statement);
		note_temp(block, statement->Ist.WrTmp.tmp, statement->Ist.WrTmp.data);
		break;
	case Ist_Put: {
		Bool jumps = statement->Ist.Put.offset == OFFSET_amd64_RSP && !is_from_sp(block, statement->Ist.Put.data);
		IRExpr *old = jumps ? get64(block, OFFSET_amd64_RSP) : NULL;
		addStmtToIRSB(block->out, statement);
		if (jumps)
			add_jump_of_sp(block, old, statement->Ist.Put.data);
		if (jumps && statement->Ist.Put.data->tag == Iex_RdTmp)
			block->in_stack[statement->Ist.Put.data->Iex.RdTmp.tmp] = True;
		if (statement->Ist.Put.offset == OFFSET_amd64_RCX)
			block->count = typeOfIRExpr(block->out->tyenv, statement->Ist.Put.data) == Ity_I64 ? statement->Ist.Put.data
																							   : NULL;
		break;
	}
	case Ist_Store:
		instrument_store(block, statement, statement->Ist.Store.addr, statement->Ist.Store.data, NULL);
		break;
	case Ist_StoreG: {
		IRStoreG *store = statement->Ist.StoreG.details;
		instrument_store(block, statement, store->addr, store->data, store->guard);
		break;
	}
	case Ist_Dirty: instrument_dirty(block, statement); break;
	case Ist_CAS: instrument_cas(block, statement); break;
	case Ist_LoadG:
		instrument_guarded_load(block, statement->Ist.LoadG.details);
		addStmtToIRSB(block->out, statement);
		break;
	case Ist_NoOp:
	case Ist_AbiHint:
	case Ist_PutI:
	case Ist_LLSC:
	case Ist_MBE:
	case Ist_Exit: addStmtToIRSB(block->out, statement); break;
	}
}

IRSB *pc_instrument(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout, const VexGuestExtents *extents,
		const VexArchInfo *host, IRType guest_word, IRType host_word)
{
	(void)closure;
	(void)host;
	(void)guest_word;
	(void)host_word;
	Block block = {0};
	Int i = 0;
	tl_assert(layout->total_sizeB == sizeof(VexGuestAMD64State));
	block.out = deepCopyIRSBExceptStmts(in);
	block.from_sp = VG_(calloc)("pc.block", (SizeT)in->tyenv->types_used + 1, sizeof(Bool));
	block.in_stack = VG_(calloc)("pc.block", (SizeT)in->tyenv->types_used + 1, sizeof(Bool));
	for (; i < in->stmts_used && in->stmts[i]->tag != Ist_IMark; i++)
		addStmtToIRSB(block.out, in->stmts[i]);
	for (; i < in->stmts_used; i++)
		instrument_statement(&block, in->stmts[i]);
	if (in->jumpkind == Ijk_Call)
		add_push(&block, block.pc + block.length);
	else if (in->jumpkind == Ijk_Ret)
		add_pop(&block);
	VG_(free)(block.from_sp);
	VG_(free)(block.in_stack);
	pc_executed(extents, block.begins);
	return block.out;
}

/*
 * VEX checks each block twice, decoded and instrumented, which is a ninth of what a short program costs. The recorder's
 * own tests have these checks.
 */
#define WRAP_CHECK(name) \
	void __real_##name(const IRSB *, const HChar *, Bool, IRType); \
	void __wrap_##name(const IRSB *, const HChar *, Bool, IRType); \
	void __wrap_##name(const IRSB *block, const HChar *who, Bool flat, IRType word) \
	{ \
		if (pc_options.check_blocks) \
			__real_##name(block, who, flat, word); \
	}
WRAP_CHECK(sanityCheckIRSB)
