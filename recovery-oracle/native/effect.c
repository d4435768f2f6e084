/* SPDX-License-Identifier: Apache-2.0 */
#include "effect.h"

enum { RAX = 0, RCX = 1, RDX = 2, RSP = 4, RBP = 5, RSI = 6, RDI = 7 };

#define BIT(number) (1U << (number))

struct code {
	const uint8_t *bytes;
	unsigned at;
	bool is_short; /* 66 */
	bool has_f2;
	bool has_f3;
	bool has_rex;
	bool wide;
	unsigned more_field; /* what prefixes add to the numbers of registers */
	unsigned more_index;
	unsigned more_place;
	/* ModRM */
	bool is_memory;
	unsigned field;
	unsigned place; /* a register, unless it is memory */
	struct effect effect;
};

static const struct effect not_known = {.way = ELSEWHERE};

static unsigned operand_size(const struct code *code)
{
	return code->wide ? 8 : code->is_short ? 2 : 4;
}

static unsigned immediate_size(unsigned size)
{
	return size == 8 ? 4 : size;
}

static int64_t number_at(struct code *code, unsigned size)
{
	uint64_t value = 0;
	for (unsigned i = 0; i < size; i++)
		value |= (uint64_t)code->bytes[code->at++] << 8 * i;
	unsigned unused = 64 - 8 * size;
	return size == 0 ? 0 : (int64_t)(value << unused) >> unused;
}

/* ModRM and what follows it; what addresses are made of is read. */
static void operands(struct code *code)
{
	uint8_t modrm = code->bytes[code->at++];
	unsigned mode = modrm >> 6, base = modrm & 7;
	code->field = (modrm >> 3 & 7) | code->more_field;
	code->place = base | code->more_place;
	code->is_memory = mode != 3;
	if (mode == 3)
		return;
	bool has_base = true, has_address = mode == 2, has_index = false;
	if (base == 4) {
		uint8_t sib = code->bytes[code->at++];
		unsigned index = (sib >> 3 & 7) | code->more_index;
		has_index = index != RSP;
		if (has_index)
			code->effect.address |= BIT(index);
		base = sib & 7;
	}
	if (base == 5 && mode == 0) {
		has_base = false;
		has_address = true;
	}
	base |= code->more_place;
	if (has_base)
		code->effect.address |= BIT(base);
	code->effect.reads |= code->effect.address;
	unsigned size = has_address ? 4 : mode == 1 ? 1 : 0;
	code->effect.is_at_stack = has_base && !has_index && base == RSP;
	code->effect.is_at_frame = has_base && !has_index && base == RBP;
	code->effect.offset = number_at(code, size);
}

/* Of byte registers without a prefix, 4 to 7 are the second bytes of others. */
static unsigned whole(const struct code *code, unsigned number, unsigned size)
{
	return size == 1 && !code->has_rex && number >= 4 && number < 8 ? number - 4 : number;
}

static void reads(struct code *code, unsigned number, unsigned size)
{
	code->effect.reads |= BIT(whole(code, number, size));
	code->effect.changes |= BIT(whole(code, number, size));
}

/* A part of a register leaves the rest as it was. */
static void writes(struct code *code, unsigned number, unsigned size)
{
	code->effect.changes |= BIT(whole(code, number, size));
	if (size >= 4)
		code->effect.writes |= BIT(number);
	else
		reads(code, number, size);
}

static void reads_place(struct code *code, unsigned size)
{
	if (!code->is_memory)
		reads(code, code->place, size);
}

static void writes_place(struct code *code, unsigned size)
{
	if (!code->is_memory)
		writes(code, code->place, size);
}

static struct effect done(struct code *code, unsigned immediate)
{
	code->effect.length = code->at + immediate;
	return code->effect.length > LONGEST_INSTRUCTION ? not_known : code->effect;
}

static struct effect jump(struct code *code, enum way way, unsigned size)
{
	if (code->is_short || code->has_f2 || code->has_f3)
		return not_known;
	code->effect.distance = number_at(code, size);
	code->effect.way = way;
	if (way == BRANCH)
		code->effect.reads |= FLAGS_BIT;
	return done(code, 0);
}

/* Arithmetic as opcodes number it. */
static struct effect arithmetic(struct code *code, unsigned operation, unsigned size, bool to_register)
{
	bool is_compared = operation == 7, has_carry = operation == 2 || operation == 3;
	operands(code);
	code->effect.writes |= FLAGS_BIT;
	if (has_carry)
		code->effect.reads |= FLAGS_BIT;
	bool is_cleared = (operation == 5 || operation == 6) && !code->is_memory && code->field == code->place && size >= 4;
	if (is_cleared) {
		writes(code, code->field, size);
		return done(code, 0);
	}
	reads(code, code->field, size);
	reads_place(code, size);
	if (to_register && !is_compared)
		writes(code, code->field, size);
	else if (!is_compared)
		writes_place(code, size);
	else
		code->effect.changes = 0;
	return done(code, 0);
}

/* Calls and jumps by a word relative to the instruction, as procedure linkage tables have them. */
static struct effect through(struct code *code)
{
	unsigned operation = code->bytes[code->at] >> 3 & 7;
	if ((code->bytes[code->at++] & 0xc7) != 5 || (operation != 2 && operation != 4) || code->is_short || code->has_f3)
		return not_known;
	code->effect.distance = number_at(code, 4);
	code->effect.way = operation == 2 ? CALL : JUMP;
	code->effect.is_through = true;
	code->effect.reads |= BIT(RSP);
	return done(code, 0);
}

static struct effect group_f6(struct code *code, unsigned size)
{
	operands(code);
	unsigned operation = code->field & 7;
	reads_place(code, size);
	if (operation < 2) {
		code->effect.writes |= FLAGS_BIT;
		return done(code, immediate_size(size));
	}
	if (operation == 3)
		code->effect.writes |= FLAGS_BIT;
	if (operation < 4)
		writes_place(code, size);
	else { /* products and quotients; some of their flags are undefined */
		code->effect.reads |= BIT(RAX) | BIT(RDX);
		code->effect.changes |= BIT(RAX) | BIT(RDX);
	}
	return done(code, 0);
}

static struct effect string(struct code *code, uint8_t opcode)
{
	code->effect.reads |= BIT(RSI) | BIT(RDI) | BIT(RAX);
	code->effect.changes |= BIT(RSI) | BIT(RDI) | BIT(RAX) | BIT(RCX);
	if (code->has_f2 || code->has_f3)
		code->effect.reads |= BIT(RCX);
	return (opcode & 0xfe) == 0xa4 || (opcode & 0xfe) == 0xaa ? done(code, 0) : not_known;
}

static void pushes(struct code *code, int64_t bytes)
{
	code->effect.reads |= BIT(RSP);
	code->effect.bytes = bytes;
}

static struct effect one_byte(struct code *code, uint8_t opcode)
{
	unsigned size = opcode & 1 ? operand_size(code) : 1, number = (opcode & 7) | code->more_place;
	if ((opcode & 0xfc) == 0xa4 || (opcode >= 0xaa && opcode < 0xb0))
		return string(code, opcode);
	if (opcode == 0xff && !code->has_f3 && (code->bytes[code->at] & 0xc7) == 5 &&
			((code->bytes[code->at] >> 3 & 7) == 2 || (code->bytes[code->at] >> 3 & 7) == 4))
		return through(code);
	if (opcode == 0xc3 && !code->has_f2) {
		code->effect.way = RETURN;
		return code->is_short ? not_known : done(code, 0);
	}
	if ((code->has_f2 || code->has_f3) && opcode != 0x90)
		return not_known;
	if (opcode < 0x40 && (opcode & 7) < 4)
		return arithmetic(code, opcode >> 3, size, opcode & 2);
	if (opcode < 0x40 && (opcode & 7) < 6) {
		code->effect.reads |= BIT(RAX) | ((opcode >> 3 & 6) == 2 ? FLAGS_BIT : 0);
		code->effect.writes |= FLAGS_BIT;
		code->effect.changes |= BIT(RAX);
		return done(code, immediate_size(size));
	}
	switch (opcode) {
	case 0x50 ... 0x57:
		code->effect.reads |= BIT(number);
		pushes(code, 8);
		return code->is_short ? not_known : done(code, 0);
	case 0x58 ... 0x5f:
		pushes(code, -8);
		writes(code, number, 8);
		return code->is_short ? not_known : done(code, 0);
	case 0x63:
		operands(code);
		reads_place(code, 4);
		writes(code, code->field, operand_size(code));
		return done(code, 0);
	case 0x68: pushes(code, 8); return code->is_short ? not_known : done(code, 4);
	case 0x6a: pushes(code, 8); return code->is_short ? not_known : done(code, 1);
	case 0x69:
	case 0x6b: /* some of its flags are undefined */
		operands(code);
		reads_place(code, operand_size(code));
		writes(code, code->field, operand_size(code));
		return done(code, opcode == 0x6b ? 1 : immediate_size(operand_size(code)));
	case 0x70 ... 0x7f: return jump(code, BRANCH, 1);
	case 0x80:
	case 0x81:
	case 0x83:
		operands(code);
		code->effect.reads |= (code->field & 6) == 2 ? FLAGS_BIT : 0;
		code->effect.writes |= FLAGS_BIT;
		reads_place(code, size);
		if ((code->field & 7) == 7)
			code->effect.changes = 0;
		return done(code, opcode == 0x81 ? immediate_size(size) : 1);
	case 0x84:
	case 0x85: return arithmetic(code, 7, size, false);
	case 0x86:
	case 0x87:
		operands(code);
		reads(code, code->field, size);
		reads_place(code, size);
		return done(code, 0);
	case 0x88:
	case 0x89:
		operands(code);
		reads(code, code->field, size);
		code->effect.changes = 0;
		writes_place(code, size);
		return done(code, 0);
	case 0x8a:
	case 0x8b:
		operands(code);
		reads_place(code, size);
		code->effect.changes = 0;
		writes(code, code->field, size);
		return done(code, 0);
	case 0x8d:
		operands(code);
		writes(code, code->field, operand_size(code));
		return code->is_memory ? done(code, 0) : not_known;
	case 0x90: return code->more_place ? not_known : done(code, 0);
	case 0x98: reads(code, RAX, 8); return done(code, 0);
	case 0x99:
		code->effect.reads |= BIT(RAX);
		writes(code, RDX, operand_size(code));
		return done(code, 0);
	case 0xa8:
	case 0xa9:
		code->effect.reads |= BIT(RAX);
		code->effect.writes |= FLAGS_BIT;
		return done(code, immediate_size(size));
	case 0xb0 ... 0xb7: reads(code, number, 1); return done(code, 1);
	case 0xb8 ... 0xbf: writes(code, number, operand_size(code)); return done(code, operand_size(code));
	case 0xc0:
	case 0xc1:
	case 0xd0 ... 0xd3: /* without a distance flags stay */
		operands(code);
		reads_place(code, size);
		if ((code->field & 6) == 2)
			code->effect.reads |= FLAGS_BIT; /* through the carry */
		if (opcode == 0xd2 || opcode == 0xd3)
			code->effect.reads |= BIT(RCX);
		return done(code, opcode < 0xd0 ? 1 : 0);
	case 0xc6:
	case 0xc7:
		operands(code);
		writes_place(code, size);
		return (code->field & 7) == 0 ? done(code, immediate_size(size)) : not_known;
	case 0xc9:
		reads(code, RBP, 8);
		code->effect.stack = LEAVES;
		code->effect.bytes = -8;
		return code->is_short ? not_known : done(code, 0);
	case 0xd8 ... 0xdf: operands(code); return code->is_memory ? done(code, 0) : not_known;
	case 0xe8: return jump(code, CALL, 4);
	case 0xe9: return jump(code, JUMP, 4);
	case 0xeb: return jump(code, JUMP, 1);
	case 0xf6:
	case 0xf7: return group_f6(code, size);
	case 0xfe:
	case 0xff:
		operands(code);
		reads_place(code, size); /* the carry stays */
		if (opcode == 0xff && (code->field & 7) == 6 && !code->is_short) {
			code->effect.changes = 0;
			pushes(code, 8);
			return done(code, 0);
		}
		return (code->field & 7) < 2 ? done(code, 0) : not_known;
	default: return not_known;
	}
}

/* Of vector registers, as SSE, VEX and EVEX share it; a general register may be an operand. */
static struct effect vector(struct code *code, uint8_t opcode, bool is_vex, bool is_evex)
{
	bool is_scalar = code->has_f2 || code->has_f3;
	unsigned immediate = 0;
	if (opcode == 0x77) /* no ModRM */
		return is_evex ? not_known : done(code, 0);
	operands(code);
	switch (opcode) {
	case 0x10 ... 0x17:
	case 0x28:
	case 0x29:
	case 0x2b:
	case 0x51 ... 0x6d:
	case 0x6f:
	case 0x74 ... 0x76:
	case 0x7c:
	case 0x7d:
	case 0x7f:
	case 0xd0 ... 0xd6:
	case 0xd8 ... 0xf6:
	case 0xf8 ... 0xfe: break;
	case 0x70 ... 0x73:
	case 0xc2:
	case 0xc6: immediate = 1; break;
	case 0x2a:
	case 0x6e: reads_place(code, 8); break;
	case 0x2c:
	case 0x2d:
		if (is_scalar)
			writes(code, code->field, 4);
		break;
	case 0x2e:
	case 0x2f: code->effect.writes |= FLAGS_BIT; break;
	case 0x50:
	case 0xd7: writes(code, code->field, 4); break;
	case 0x78:
	case 0x79:
	case 0x7a:
	case 0x7b:
		if (!is_evex)
			return not_known;
		reads_place(code, 8);
		reads(code, code->field, 8); /* it may be written; no more is said of it */
		break;
	case 0x7e:
		if (!code->has_f3)
			writes_place(code, 4);
		break;
	case 0xc4:
		reads_place(code, 8);
		immediate = 1;
		break;
	case 0xc5:
		writes(code, code->field, 4);
		immediate = 1;
		break;
	case 0xf7: code->effect.reads |= BIT(RDI); break;
	case 0x41 ... 0x4b: /* masks */
	case 0x90:
	case 0x91: return is_vex && !is_evex ? done(code, 0) : not_known;
	case 0x92: reads_place(code, 8); return is_vex && !is_evex ? done(code, 0) : not_known;
	case 0x93: writes(code, code->field, 4); return is_vex && !is_evex ? done(code, 0) : not_known;
	case 0x98:
	case 0x99: code->effect.writes |= FLAGS_BIT; return is_vex && !is_evex ? done(code, 0) : not_known;
	default: return not_known;
	}
	return done(code, immediate);
}

/* Map 3A: each has an immediate operand. */
static struct effect vector_3a(struct code *code, uint8_t opcode, bool is_vex)
{
	operands(code);
	switch (opcode) {
	case 0x14 ... 0x17: writes_place(code, 4); break;
	case 0x20:
	case 0x22: reads_place(code, 8); break;
	case 0x60 ... 0x63:
		code->effect.reads |= opcode < 0x62 ? BIT(RAX) | BIT(RDX) : 0;
		code->effect.writes |= FLAGS_BIT | (opcode & 1 ? BIT(RCX) : 0);
		code->effect.changes |= BIT(RCX);
		break;
	case 0xf0:
		if (!is_vex)
			return not_known;
		reads_place(code, 8);
		writes(code, code->field, 4);
		break;
	default: break;
	}
	return done(code, 1);
}

static struct effect after_0f38(struct code *code)
{
	uint8_t opcode = code->bytes[code->at++];
	operands(code);
	if (opcode <= 0x41 || (opcode >= 0xc8 && opcode <= 0xcd) || (opcode >= 0xdb && opcode <= 0xdf)) {
		if (opcode == 0x17)
			code->effect.writes |= FLAGS_BIT;
		return done(code, 0);
	}
	if (opcode != 0xf0 && opcode != 0xf1)
		return not_known;
	reads(code, code->field, 1); /* movbe, crc32 */
	reads(code, code->field, 8);
	reads_place(code, 1);
	reads_place(code, 8);
	return done(code, 0);
}

static struct effect after_0f(struct code *code)
{
	uint8_t opcode = code->bytes[code->at++];
	unsigned size = operand_size(code);
	switch (opcode) {
	case 0x0d:
	case 0x18 ... 0x1f:
		operands(code);
		return opcode == 0x1e && !code->is_memory && code->has_f3 && code->bytes[code->at - 1] != 0xfa &&
						code->bytes[code->at - 1] != 0xfb
				? not_known /* shadow stacks */
				: done(code, 0);
	case 0x38: return after_0f38(code);
	case 0x3a: {
		uint8_t next = code->bytes[code->at++];
		return vector_3a(code, next, false);
	}
	case 0x40 ... 0x4f:
		operands(code);
		code->effect.reads |= FLAGS_BIT;
		reads(code, code->field, size);
		reads_place(code, size);
		return done(code, 0);
	case 0x80 ... 0x8f: return jump(code, BRANCH, 4);
	case 0x90 ... 0x9f:
		operands(code);
		code->effect.reads |= FLAGS_BIT;
		reads_place(code, 1);
		return done(code, 0);
	case 0xb0:
	case 0xb1:
	case 0xc0:
	case 0xc1:
		operands(code);
		reads(code, RAX, 8);
		reads(code, code->field, opcode & 1 ? size : 1);
		reads_place(code, opcode & 1 ? size : 1);
		return done(code, 0);
	case 0xa3:
	case 0xab:
	case 0xb3:
	case 0xbb:
	case 0xa4:
	case 0xac:
	case 0xa5:
	case 0xad:
	case 0xaf:
		operands(code); /* some flags stay, or are undefined */
		reads(code, code->field, size);
		reads_place(code, size);
		if (opcode == 0xa5 || opcode == 0xad)
			code->effect.reads |= BIT(RCX);
		return done(code, opcode == 0xa4 || opcode == 0xac ? 1 : 0);
	case 0xae:
		if (code->has_f2 || code->has_f3)
			return not_known;
		operands(code);
		if (code->is_memory && !((code->field & 7) == 7 || ((code->field & 7) == 6 && code->is_short)))
			code->effect.reads |= BIT(RAX) | BIT(RDX); /* saves and restores what these name */
		return code->is_memory || (code->field & 7) >= 5 ? done(code, 0) : not_known;
	case 0xb6:
	case 0xb7:
	case 0xbe:
	case 0xbf:
		if (code->has_f2 || code->has_f3)
			return not_known;
		operands(code);
		reads_place(code, opcode & 1 ? 2 : 1);
		writes(code, code->field, size);
		return done(code, 0);
	case 0xb8:
		operands(code);
		reads_place(code, size);
		writes(code, code->field, size);
		code->effect.writes |= FLAGS_BIT;
		return code->has_f3 ? done(code, 0) : not_known;
	case 0xba:
		operands(code);
		reads_place(code, size);
		return (code->field & 7) >= 4 ? done(code, 1) : not_known;
	case 0xbc:
	case 0xbd: /* of zero, the target and flags may stay */
		operands(code);
		reads(code, code->field, size);
		reads_place(code, size);
		return done(code, 0);
	case 0xc3:
		operands(code);
		reads(code, code->field, size);
		return code->is_memory && !code->is_short && !code->has_f2 && !code->has_f3 ? done(code, 0) : not_known;
	case 0xc8 ... 0xcf: reads(code, (opcode & 7) | code->more_place, 8); return done(code, 0);
	case 0x10 ... 0x17:
	case 0x28 ... 0x2f:
	case 0x50 ... 0x77:
	case 0x7c ... 0x7f:
	case 0xc2:
	case 0xc4 ... 0xc6:
	case 0xd0 ... 0xfe: return vector(code, opcode, false, false);
	default: return not_known;
	}
}

static void prefix_of_field(struct code *code, unsigned field)
{
	code->is_short = field == 1;
	code->has_f3 = field == 2;
	code->has_f2 = field == 3;
}

/* Map 2 of VEX. */
static struct effect vex_38(struct code *code, uint8_t opcode, unsigned third)
{
	operands(code);
	if (opcode < 0xf0) {
		if (opcode == 0x17)
			code->effect.writes |= FLAGS_BIT;
		return done(code, 0);
	}
	/* bit manipulation: less is said of it than is so */
	reads(code, code->field, 8);
	reads_place(code, 8);
	code->effect.reads |= BIT(third) | BIT(RDX);
	code->effect.changes |= BIT(third);
	return done(code, 0);
}

static struct effect vex(struct code *code)
{
	unsigned map = 1;
	uint8_t first = code->bytes[code->at++], second = code->bytes[code->at++], last = second;
	code->has_rex = true;
	code->more_field = second & 0x80 ? 0 : 8;
	if (first == 0xc4) {
		code->more_index = second & 0x40 ? 0 : 8;
		code->more_place = second & 0x20 ? 0 : 8;
		map = second & 0x1f;
		last = code->bytes[code->at++];
		code->wide = last >> 7;
	}
	prefix_of_field(code, last & 3);
	uint8_t opcode = code->bytes[code->at++];
	if (map == 1)
		return vector(code, opcode, true, false);
	if (map == 2)
		return vex_38(code, opcode, ~last >> 3 & 15);
	return map == 3 ? vector_3a(code, opcode, true) : not_known;
}

static struct effect evex(struct code *code)
{
	uint8_t first = code->bytes[code->at + 1], second = code->bytes[code->at + 2];
	code->at += 4;
	code->has_rex = true;
	code->more_field = first & 0x80 ? 0 : 8;
	code->more_index = first & 0x40 ? 0 : 8;
	code->more_place = first & 0x20 ? 0 : 8;
	code->wide = second >> 7;
	prefix_of_field(code, second & 3);
	uint8_t opcode = code->bytes[code->at++];
	switch (first & 7) {
	case 1: return vector(code, opcode, true, true);
	case 2:
		operands(code);
		if (opcode >= 0x7a && opcode <= 0x7c)
			reads_place(code, 8);
		return done(code, 0);
	case 3: return vector_3a(code, opcode, true);
	default: return not_known;
	}
}

/* RSP is changed: in the ways that compilers do it. */
static void of_stack_pointer(struct effect *effect, const uint8_t *bytes)
{
	struct code code = {.bytes = bytes, .at = 3};
	bool is_long = bytes[1] == 0x81;
	effect->stack = LOST;
	if (bytes[0] != 0x48)
		return;
	if ((is_long || bytes[1] == 0x83) && (bytes[2] == 0xec || bytes[2] == 0xc4)) {
		effect->stack = DEEPER;
		effect->bytes = number_at(&code, is_long ? 4 : 1) * (bytes[2] == 0xec ? 1 : -1);
	} else if (bytes[1] == 0x8d && effect->is_at_stack) {
		effect->stack = DEEPER;
		effect->bytes = -effect->offset;
	} else if (bytes[1] == 0x8d && effect->is_at_frame) {
		effect->stack = TO_FRAME;
		effect->bytes = -effect->offset;
	} else if ((bytes[1] == 0x89 && bytes[2] == 0xec) || (bytes[1] == 0x8b && bytes[2] == 0xe5)) {
		effect->stack = TO_FRAME;
		effect->bytes = 0;
	}
}

struct effect effect_of(const uint8_t bytes[LONGEST_INSTRUCTION])
{
	struct code code = {.bytes = bytes, .effect = {.way = ON}};
	for (;; code.at++) {
		uint8_t prefix = bytes[code.at];
		if (prefix == 0x66)
			code.is_short = true;
		else if (prefix == 0xf2)
			code.has_f2 = true;
		else if (prefix == 0xf3)
			code.has_f3 = true;
		else if (prefix != 0x2e && prefix != 0x3e && prefix != 0x64 && prefix != 0xf0)
			break;
		if (code.at == 4)
			return not_known;
	}
	if (bytes[code.at] == 0xc4 || bytes[code.at] == 0xc5)
		return code.is_short || code.has_f2 || code.has_f3 ? not_known : vex(&code);
	if (bytes[code.at] == 0x62)
		return code.is_short || code.has_f2 || code.has_f3 ? not_known : evex(&code);
	if ((bytes[code.at] & 0xf0) == 0x40) {
		uint8_t rex = bytes[code.at++];
		code.has_rex = true;
		code.wide = rex & 8;
		code.more_field = rex & 4 ? 8 : 0;
		code.more_index = rex & 2 ? 8 : 0;
		code.more_place = rex & 1 ? 8 : 0;
	}
	uint8_t opcode = bytes[code.at++];
	struct effect effect = opcode == 0x0f ? after_0f(&code) : one_byte(&code, opcode);
	if (effect.changes & BIT(RSP))
		of_stack_pointer(&effect, bytes);
	if (bytes[0] == 0x48 && ((bytes[1] == 0x89 && bytes[2] == 0xe5) || (bytes[1] == 0x8b && bytes[2] == 0xec)))
		effect.stack = FRAME;
	return effect;
}
