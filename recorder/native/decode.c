/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions that Valgrind 3.19 does not know, or not well enough. The linker replaces VEX's functions by these
 * (-Wl,--wrap). Flushes, fences, direct stores and "am I running on Valgrind" are decoded here, everything else by VEX.
 * CPUID shows clflushopt and clwb, which are decoded here. It hides fast rep movsb: VEX makes one store of every byte
 * of it, and the C library's vector loops do the same work in fewer stores.
 */
#include "pub_tool_basics.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_machine.h"
#include "pub_tool_vki.h"
#include "libvex_guest_amd64.h"
#include "libvex_guest_offsets.h"

#include <cpuid.h>

#include "events.h"
#include "instrument.h"
#include "schedule.h"
#include "sites.h"
#include "trace.h"

/* As in VEX/priv/guest_generic_bb_to_IR.h of 3.19. */
typedef struct {
	UInt length;
	UInt what_next;
	UInt hint;
	IRJumpKind jump_kind;
} DisResult;
#define DIS_STOP_HERE 0x10
#define DIS_CONTINUE 0x11
#define DIS_HINT_NONE 0x20

#define CPUID_7_EBX_CLFLUSHOPT (1UL << 23)
#define CPUID_7_EBX_CLWB (1UL << 24)
#define CPUID_7_EBX_ERMS (1UL << 9)
#define CPUID_80000001_EDX_RDTSCP (1UL << 27)

typedef struct {
	IRSB *block;
	const UChar *code;
	Addr pc;
	UInt at; /* bytes decoded */
	Bool operand_size; /* prefix 66 */
	Bool address_size; /* prefix 67 */
	Bool repeat; /* prefix f2 or f3 */
	Bool lock; /* prefix f0 */
	Int segment_offset; /* of the segment's base in the guest state, -1 = none */
	UChar rex;
} Decoder;

static IRExpr *u64(ULong value)
{
	return IRExpr_Const(IRConst_U64(value));
}

static IRExpr *temp_of(Decoder *decoder, IRExpr *expression)
{
	IRTemp temp = newIRTemp(decoder->block->tyenv, Ity_I64);
	addStmtToIRSB(decoder->block, IRStmt_WrTmp(temp, expression));
	return IRExpr_RdTmp(temp);
}

static Int register_offset(UInt number)
{
	static const Int offsets[16] = {OFFSET_amd64_RAX, OFFSET_amd64_RCX, OFFSET_amd64_RDX, OFFSET_amd64_RBX,
			OFFSET_amd64_RSP, OFFSET_amd64_RBP, OFFSET_amd64_RSI, OFFSET_amd64_RDI, OFFSET_amd64_R8, OFFSET_amd64_R9,
			OFFSET_amd64_R10, OFFSET_amd64_R11, OFFSET_amd64_R12, OFFSET_amd64_R13, OFFSET_amd64_R14, OFFSET_amd64_R15};
	return offsets[number];
}

static IRExpr *get_register(Decoder *decoder, UInt number)
{
	return temp_of(decoder, IRExpr_Get(register_offset(number), Ity_I64));
}

static IRExpr *add(Decoder *decoder, IRExpr *a, IRExpr *b)
{
	return temp_of(decoder, IRExpr_Binop(Iop_Add64, a, b));
}

static void read_prefixes(Decoder *decoder)
{
	decoder->segment_offset = -1;
	for (; decoder->at < 14; decoder->at++) {
		switch (decoder->code[decoder->at]) {
		case 0x66: decoder->operand_size = True; break;
		case 0x67: decoder->address_size = True; break;
		case 0xf0: decoder->lock = True; break;
		case 0xf2:
		case 0xf3: decoder->repeat = True; break;
		case 0x64: decoder->segment_offset = offsetof(VexGuestAMD64State, guest_FS_CONST); break;
		case 0x65: decoder->segment_offset = offsetof(VexGuestAMD64State, guest_GS_CONST); break;
		case 0x26:
		case 0x2e:
		case 0x36:
		case 0x3e: break;
		default:
			if ((decoder->code[decoder->at] & 0xf0) == 0x40)
				decoder->rex = decoder->code[decoder->at++];
			return;
		}
	}
}

static Int read_displacement(Decoder *decoder, UInt bytes)
{
	Int value = 0;
	for (UInt i = 0; i < bytes; i++)
		value |= (Int)((UInt)decoder->code[decoder->at + i] << (8 * i));
	decoder->at += bytes;
	return bytes == 1 ? (Int)(Char)value : value;
}

static IRExpr *scaled_index(Decoder *decoder, UChar sib)
{
	UInt index = (sib >> 3 & 7U) | (decoder->rex & 2U) << 2;
	if (index == 4)
		return NULL;
	return temp_of(decoder, IRExpr_Binop(Iop_Shl64, get_register(decoder, index), IRExpr_Const(IRConst_U8(sib >> 6))));
}

/*
 * The effective address of a memory operand. `at` is the offset of the ModRM byte; afterwards, of what follows the
 * operand.
 */
static IRExpr *memory_operand(Decoder *decoder)
{
	UChar modrm = decoder->code[decoder->at++];
	UInt mod = modrm >> 6;
	UInt base = modrm & 7;
	UInt displacement_size = mod == 1 ? 1 : mod == 2 ? 4 : 0;
	IRExpr *address = NULL;
	if (base == 4) {
		UChar sib = decoder->code[decoder->at++];
		base = sib & 7;
		address = scaled_index(decoder, sib);
		if (base == 5 && mod == 0) {
			displacement_size = 4;
		} else {
			IRExpr *from = get_register(decoder, base | (decoder->rex & 1U) << 3);
			address = address == NULL ? from : add(decoder, from, address);
		}
	} else if (base == 5 && mod == 0) {
		displacement_size = 4;
		address = u64(decoder->pc + decoder->at + 4); /* relative to the next instruction */
	} else {
		address = get_register(decoder, base | (decoder->rex & 1U) << 3);
	}
	if (displacement_size != 0) {
		IRExpr *displacement = u64((ULong)(Long)read_displacement(decoder, displacement_size));
		address = address == NULL ? displacement : add(decoder, address, displacement);
	}
	if (decoder->address_size)
		address = temp_of(decoder, IRExpr_Binop(Iop_And64, address, u64(0xffffffffUL)));
	if (decoder->segment_offset >= 0)
		address = add(decoder, address, temp_of(decoder, IRExpr_Get(decoder->segment_offset, Ity_I64)));
	return address;
}

/* ------------------------------------------------------------- decoding */

static Bool finish(Decoder *decoder, DisResult *result)
{
	result->length = decoder->at;
	result->what_next = DIS_CONTINUE;
	result->hint = DIS_HINT_NONE;
	result->jump_kind = Ijk_INVALID;
	addStmtToIRSB(decoder->block, IRStmt_Put(OFFSET_amd64_RIP, u64(decoder->pc + decoder->at)));
	return True;
}

static Bool decode_flush(Decoder *decoder, UInt kind, DisResult *result)
{
	IRExpr *address = memory_operand(decoder);
	IRExpr **args = mkIRExprVec_4(IRExpr_GSPTR(), address, u64(kind), u64(pc_site_of(decoder->pc)));
	addStmtToIRSB(decoder->block, IRStmt_Dirty(pc_dirty_with_guest("pc_on_flush", &pc_on_flush, args)));
	return finish(decoder, result);
}

static Bool decode_fence(Decoder *decoder, UInt kind, DisResult *result)
{
	decoder->at++;
	IRExpr **args = mkIRExprVec_3(IRExpr_GSPTR(), u64(kind), u64(pc_site_of(decoder->pc)));
	addStmtToIRSB(decoder->block, IRStmt_Dirty(pc_dirty_with_guest("pc_on_fence", &pc_on_fence, args)));
	addStmtToIRSB(decoder->block, IRStmt_MBE(Imbe_Fence));
	return finish(decoder, result);
}

/* 0f ae: clflush, clflushopt (66), clwb (66), mfence, sfence */
static Bool decode_0fae(Decoder *decoder, DisResult *result)
{
	UChar modrm = decoder->code[decoder->at];
	UInt operation = modrm >> 3 & 7;
	if (decoder->repeat || decoder->lock)
		return False;
	if (modrm >> 6 == 3) {
		if (decoder->operand_size || operation < 6)
			return False;
		return decode_fence(decoder, operation == 7 ? POWERCUT_SFENCE : POWERCUT_MFENCE, result);
	}
	if (operation == 7)
		return decode_flush(decoder, decoder->operand_size ? POWERCUT_CLFLUSHOPT : POWERCUT_CLFLUSH, result);
	if (operation == 6 && decoder->operand_size)
		return decode_flush(decoder, POWERCUT_CLWB, result);
	return False;
}

/* 0f 38 f9: movdiri, a direct store of 4 or 8 bytes */
static Bool decode_movdiri(Decoder *decoder, DisResult *result)
{
	UChar modrm = decoder->code[decoder->at];
	if (modrm >> 6 == 3 || decoder->operand_size || decoder->repeat || decoder->lock)
		return False;
	IRExpr *value = get_register(decoder, (modrm >> 3 & 7U) | (decoder->rex & 4U) << 1);
	IRExpr *address = memory_operand(decoder);
	if ((decoder->rex & 8) == 0) {
		IRTemp half = newIRTemp(decoder->block->tyenv, Ity_I32);
		addStmtToIRSB(decoder->block, IRStmt_WrTmp(half, IRExpr_Unop(Iop_64to32, value)));
		value = IRExpr_RdTmp(half);
	}
	addStmtToIRSB(decoder->block, IRStmt_Store(Iend_LE, address, value));
	return finish(decoder, result);
}

/* 66 0f 38 f8: movdir64b, a direct store of 64 bytes to the address in a register */
static Bool decode_movdir64b(Decoder *decoder, DisResult *result)
{
	UChar modrm = decoder->code[decoder->at];
	IRExpr *parts[8];
	if (modrm >> 6 == 3 || !decoder->operand_size || decoder->repeat || decoder->lock)
		return False;
	IRExpr *to = get_register(decoder, (modrm >> 3 & 7U) | (decoder->rex & 4U) << 1);
	IRExpr *from = memory_operand(decoder);
	for (ULong i = 0; i < 8; i++)
		parts[i] = temp_of(decoder, IRExpr_Load(Iend_LE, Ity_I64, add(decoder, from, u64(8 * i))));
	for (ULong i = 0; i < 8; i++)
		addStmtToIRSB(decoder->block, IRStmt_Store(Iend_LE, add(decoder, to, u64(8 * i)), parts[i]));
	return finish(decoder, result);
}

static Bool decode_ours(Decoder *decoder, DisResult *result)
{
	read_prefixes(decoder);
	const UChar *opcode = decoder->code + decoder->at;
	if (opcode[0] != 0x0f)
		return False;
	if (opcode[1] == 0xae) {
		decoder->at += 2;
		return decode_0fae(decoder, result);
	}
	if (opcode[1] == 0x38 && (opcode[2] == 0xf8 || opcode[2] == 0xf9)) {
		decoder->at += 3;
		return opcode[2] == 0xf9 ? decode_movdiri(decoder, result) : decode_movdir64b(decoder, result);
	}
	return False;
}

/* ----------------------------------------------------- Valgrind in hiding */

#define REQUEST_LENGTH 19
#define REQUEST_RUNNING_ON_VALGRIND 0x1001

/* RUNNING_ON_VALGRIND: skipping the request leaves its default, "no", in rdx. Valgrind gets all other requests. */
static void hide_valgrind(IRSB *block, const UChar *code, Addr pc)
{
	static const UChar request[REQUEST_LENGTH] = {0x48, 0xc1, 0xc7, 0x03, 0x48, 0xc1, 0xc7, 0x0d, 0x48, 0xc1, 0xc7,
			0x3d, 0x48, 0xc1, 0xc7, 0x33, 0x48, 0x87, 0xdb};
	if (code[0] != 0x48 || VG_(memcmp)(code, request, REQUEST_LENGTH) != 0)
		return;
	Decoder decoder = {.block = block};
	IRExpr *number = temp_of(&decoder, IRExpr_Load(Iend_LE, Ity_I64, get_register(&decoder, 0)));
	IRTemp asks = newIRTemp(block->tyenv, Ity_I1);
	addStmtToIRSB(block, IRStmt_WrTmp(asks, IRExpr_Binop(Iop_CmpEQ64, number, u64(REQUEST_RUNNING_ON_VALGRIND))));
	addStmtToIRSB(block,
			IRStmt_Exit(IRExpr_RdTmp(asks), Ijk_Boring, IRConst_U64(pc + REQUEST_LENGTH), OFFSET_amd64_RIP));
}

/* --------------------------------------------------------- masked stores */

/*
 * VEX stores all bytes of a maskmovdqu or maskmovq, masked-out ones with their old values. So the recorder needs the
 * mask.
 */
static void tell_mask(IRSB *block, const UChar *code)
{
	Decoder decoder = {.block = block, .code = code};
	const UChar *opcode;
	Bool is_mmx = False;
	UInt extension; /* the highest bit of the mask register's number */
	if ((code[0] == 0xc5 || code[0] == 0xc4)) {
		UInt last = code[0] == 0xc5 ? 1 : 2; /* of the prefix: its two lowest bits say 66 */
		extension = code[0] == 0xc5 ? 0 : (code[1] & 0x20U) == 0 ? 8 : 0;
		if ((code[last] & 3) != 1 || (code[0] == 0xc4 && (code[1] & 0x1f) != 1) || code[last + 1] != 0xf7)
			return;
		opcode = code + last + 1;
	} else {
		read_prefixes(&decoder);
		opcode = code + decoder.at + 1;
		if (code[decoder.at] != 0x0f || opcode[0] != 0xf7 || decoder.repeat || decoder.lock)
			return;
		is_mmx = !decoder.operand_size;
		extension = (decoder.rex & 1U) << 3;
	}
	if (opcode[1] >> 6 != 3)
		return;
	UInt number = (opcode[1] & 7U) | (is_mmx ? 0 : extension);
	Int at = is_mmx ? (Int)(offsetof(VexGuestAMD64State, guest_FPREG) + 8 * number)
					: (Int)(offsetof(VexGuestAMD64State, guest_YMM0) + 32 * number);
	IRExpr *low = temp_of(&decoder, IRExpr_Get(at, Ity_I64));
	IRExpr *high = is_mmx ? u64(0) : temp_of(&decoder, IRExpr_Get(at + 8, Ity_I64));
	addStmtToIRSB(block,
			IRStmt_Dirty(
					unsafeIRDirty_0_N(0, "pc_on_mask", VG_(fnptr_to_fnentry)(&pc_on_mask), mkIRExprVec_2(low, high))));
}

/* --------------------------------------------------- what nobody decodes */

static const HChar *kind_of_instruction(const UChar *code)
{
	UInt at = 0;
	while (at < 4 && (code[at] == 0x66 || code[at] == 0xf2 || code[at] == 0xf3))
		at++;
	if (code[at] == 0x62)
		return "AVX-512 (EVEX) instruction";
	if (code[at] == 0xc4 || code[at] == 0xc5)
		return "AVX (VEX) instruction";
	if (code[at] == 0x8f)
		return "XOP instruction";
	return "instruction";
}

static void on_undecodable(UWord pc)
{
	HChar bytes[64] = "";
	HChar place[1024];
	HChar text[POWERCUT_ERROR_SIZE];
	const UChar *code = (const UChar *)pc;
	UInt length = 0;
	for (UInt i = 0; i < 11 && VG_(am_is_valid_for_client)(pc + i, 1, VKI_PROT_READ); i++)
		length += VG_(sprintf)(bytes + length, i == 0 ? "%02x" : " %02x", code[i]);
	pc_describe(pc, 0, place, sizeof place);
	static const HChar message[] =
			"%s %s at 0x%lx, %s, is not known to Valgrind 3.19, so the target got SIGILL there. Build the target (or "
			"the library) without it, for example with -march=x86-64-v3, or choose the code path by CPUID, which "
			"shows no AVX-512 here";
	VG_(snprintf)(text, sizeof text, message, kind_of_instruction(code), bytes, pc, place);
	VG_(umsg)("powercut: %s\n", text);
	pc_set_error(POWERCUT_ERROR_INSTRUCTION, text);
}

static DisResult give_sigill(IRSB *block, Addr pc)
{
	DisResult result = {1, DIS_STOP_HERE, DIS_HINT_NONE, Ijk_NoDecode};
	IRExpr **args = mkIRExprVec_1(u64(pc));
	addStmtToIRSB(block,
			IRStmt_Dirty(unsafeIRDirty_0_N(0, "on_undecodable", VG_(fnptr_to_fnentry)(&on_undecodable), args)));
	addStmtToIRSB(block, IRStmt_Put(OFFSET_amd64_RIP, u64(pc))); /* VEX wants it last */
	return result;
}

/* ------------------------------------------------ between store and persist */

/* Flushes, fences, and what has a fence's effect. */
static Bool may_persist(const UChar *code)
{
	Decoder decoder = {.code = code};
	read_prefixes(&decoder);
	const UChar *opcode = code + decoder.at;
	if (opcode[0] == 0x0f && opcode[1] == 0xae)
		return True;
	return decoder.lock || ((opcode[0] & 0xfe) == 0x86 && opcode[1] >> 6 != 3);
}

static Bool persists(const UChar *code)
{
	Decoder decoder = {.code = code};
	read_prefixes(&decoder);
	const UChar *opcode = code + decoder.at;
	return opcode[0] == 0x0f && opcode[1] == 0xae && (opcode[2] >> 3 & 7) >= 6;
}

static void tell_that_it_persists(IRSB *block, Addr pc)
{
	IRExpr **args = mkIRExprVec_1(u64(pc));
	addStmtToIRSB(block,
			IRStmt_Dirty(
					unsafeIRDirty_0_N(0, "pc_schedule_persists", VG_(fnptr_to_fnentry)(&pc_schedule_persists), args)));
}

/* If the time slice is over, the block ends here. */
static void leave_if_slice_is_over(IRSB *block, Addr pc)
{
	IRTemp flag = newIRTemp(block->tyenv, Ity_I32);
	IRTemp is_over = newIRTemp(block->tyenv, Ity_I1);
	addStmtToIRSB(block, IRStmt_WrTmp(flag, IRExpr_Load(Iend_LE, Ity_I32, u64((Addr)&pc_slice_is_over))));
	addStmtToIRSB(block,
			IRStmt_WrTmp(is_over, IRExpr_Binop(Iop_CmpNE32, IRExpr_RdTmp(flag), IRExpr_Const(IRConst_U32(0)))));
	addStmtToIRSB(block, IRStmt_Exit(IRExpr_RdTmp(is_over), Ijk_Boring, IRConst_U64(pc), OFFSET_amd64_RIP));
}

/* ------------------------------------------------------------- wrappers */

DisResult __real_disInstr_AMD64(IRSB *block, const UChar *code, Long delta, Addr pc, VexArch arch,
		const VexArchInfo *info, const VexAbiInfo *abi, VexEndness endness, Bool diagnose);
DisResult __wrap_disInstr_AMD64(IRSB *block, const UChar *code, Long delta, Addr pc, VexArch arch,
		const VexArchInfo *info, const VexAbiInfo *abi, VexEndness endness, Bool diagnose);

DisResult __wrap_disInstr_AMD64(IRSB *block, const UChar *code, Long delta, Addr pc, VexArch arch,
		const VexArchInfo *info, const VexAbiInfo *abi, VexEndness endness, Bool diagnose)
{
	DisResult result;
	Decoder decoder = {.block = block, .code = code + delta, .pc = pc};
	(void)diagnose;
	if (pc_schedule_may_interrupt() && persists(code + delta))
		tell_that_it_persists(block, pc);
	if (pc_schedule_may_interrupt() && may_persist(code + delta))
		leave_if_slice_is_over(block, pc);
	if (decode_ours(&decoder, &result))
		return result;
	hide_valgrind(block, code + delta, pc);
	tell_mask(block, code + delta);
	result = __real_disInstr_AMD64(block, code, delta, pc, arch, info, abi, endness, False);
	return result.length == 0 ? give_sigill(block, pc) : result;
}

static Bool host_has_rdtscp(void)
{
	UInt a, b, c, d;
	return __get_cpuid(0x80000001, &a, &b, &c, &d) && (d & CPUID_80000001_EDX_RDTSCP) != 0;
}

static void adjust_cpuid(VexGuestAMD64State *guest, UInt leaf, UInt subleaf)
{
	if (leaf == 7 && subleaf == 0) {
		guest->guest_RBX |= CPUID_7_EBX_CLFLUSHOPT | CPUID_7_EBX_CLWB;
		guest->guest_RBX &= ~CPUID_7_EBX_ERMS;
	}
	// Valgrind always announces it, and decodes it where the processor has it.
	if (leaf == 0x80000001 && !host_has_rdtscp())
		guest->guest_RDX &= ~CPUID_80000001_EDX_RDTSCP;
}

#define WRAP_CPUID(name, parameters, arguments) \
	void __real_##name parameters; \
	void __wrap_##name parameters; \
	void __wrap_##name parameters \
	{ \
		UInt leaf = (UInt)guest->guest_RAX; \
		UInt subleaf = (UInt)guest->guest_RCX; \
		__real_##name arguments; \
		adjust_cpuid(guest, leaf, subleaf); \
	}
WRAP_CPUID(amd64g_dirtyhelper_CPUID_avx2,
		(VexGuestAMD64State * guest, ULong has_f16c, ULong has_rdrand, ULong has_rdseed),
		(guest, has_f16c, has_rdrand, has_rdseed))
WRAP_CPUID(amd64g_dirtyhelper_CPUID_avx_and_cx16, (VexGuestAMD64State * guest), (guest))
WRAP_CPUID(amd64g_dirtyhelper_CPUID_sse42_and_cx16, (VexGuestAMD64State * guest), (guest))
