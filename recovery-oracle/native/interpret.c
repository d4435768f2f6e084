/* SPDX-License-Identifier: Apache-2.0 */
#include "interpret.h"

#include "arithmetic.h"
#include "operand.h"

#define MULTIPLIED (CARRY_FLAG | OVERFLOW_FLAG)

/* An operand that is a register. */
struct place {
	unsigned number; /* of a byte register as the instruction has it */
	unsigned size;
	bool has_rex;
};

struct instruction {
	struct bytes bytes;
	struct user_regs_struct *registers;
	struct place field; /* of ModRM */
	struct place place; /* its other operand, which is no memory */
};

static bool is_high(struct place place)
{
	return place.size == 1 && !place.has_rex && place.number >= 4;
}

static uint64_t get(const struct instruction *at, struct place place)
{
	uint64_t value = operand_value(at->registers, is_high(place) ? place.number - 4 : place.number);
	if (is_high(place))
		value >>= 8;
	return place.size == 8 ? value : value & ((1ULL << 8 * place.size) - 1);
}

static void set(const struct instruction *at, struct place place, uint64_t value)
{
	uint64_t *whole = operand_general(at->registers, is_high(place) ? place.number - 4 : place.number);
	if (is_high(place))
		*whole = (*whole & ~0xff00ULL) | (value & 0xff) << 8;
	else if (place.size == 1)
		*whole = (*whole & ~0xffULL) | (value & 0xff);
	else if (place.size == 2)
		*whole = (*whole & ~0xffffULL) | (value & 0xffff);
	else
		*whole = place.size == 4 ? (uint32_t)value : value;
}

static uint8_t byte(struct instruction *at)
{
	return at->bytes.code[at->bytes.at++];
}

static uint64_t immediate(struct instruction *at, unsigned size)
{
	return (uint64_t)operand_number(&at->bytes, size == 8 ? 4 : size);
}

static struct place register_of(const struct instruction *at, unsigned number, unsigned size)
{
	return (struct place){number, size, at->bytes.rex != 0};
}

/* False when it has an operand in memory. */
static bool operands(struct instruction *at, unsigned field_size, unsigned place_size)
{
	uint8_t modrm = byte(at), rex = at->bytes.rex;
	at->field = register_of(at, (modrm >> 3 & 7) | (rex & 4 ? 8 : 0), field_size);
	at->place = register_of(at, (modrm & 7) | (rex & 1 ? 8 : 0), place_size);
	return modrm >> 6 == 3;
}

static bool next(struct instruction *at)
{
	at->registers->rip += at->bytes.at;
	return at->bytes.at <= LONGEST_INSTRUCTION;
}

static bool jump(struct instruction *at, unsigned size, bool is_taken)
{
	uint64_t distance = (uint64_t)operand_number(&at->bytes, size);
	at->registers->rip += is_taken ? distance : 0;
	return next(at);
}

static bool compute(struct instruction *at, enum operation operation, struct place to, uint64_t right)
{
	uint64_t flags = at->registers->eflags;
	uint64_t value = arithmetic_result(operation, to.size, get(at, to), right, &flags);
	at->registers->eflags = flags;
	if (operation != COMPARE && operation != TEST)
		set(at, to, value);
	return next(at);
}

static bool is_known(enum operation operation)
{
	return operation != ADD_CARRY && operation != SUBTRACT_BORROW;
}

static bool two_operands(struct instruction *at, uint8_t opcode, unsigned size)
{
	enum operation operation = opcode >> 3;
	if (!is_known(operation))
		return false;
	if ((opcode & 7) >= 4)
		return compute(at, operation, register_of(at, 0, size), immediate(at, size));
	if (!operands(at, size, size))
		return false;
	return opcode & 2 ? compute(at, operation, at->field, get(at, at->place))
					  : compute(at, operation, at->place, get(at, at->field));
}

static bool shift(struct instruction *at, unsigned size, uint8_t opcode)
{
	static const enum operation operations[] = {LEFT_SHIFT, RIGHT_SHIFT, LEFT_SHIFT, SIGNED_SHIFT};
	if (!operands(at, size, size) || (at->field.number & 7) < 4)
		return false;
	uint64_t count = opcode < 0xd0 ? byte(at) : opcode < 0xd2 ? 1 : at->registers->rcx;
	return compute(at, operations[(at->field.number & 7) - 4], at->place, count);
}

/* One more or one less; the carry flag stays. */
static bool count(struct instruction *at, bool is_less)
{
	uint64_t carry = at->registers->eflags & CARRY_FLAG;
	compute(at, is_less ? SUBTRACT : ADD_TO, at->place, 1);
	at->registers->eflags = (at->registers->eflags & ~(uint64_t)CARRY_FLAG) | carry;
	return true;
}

/* RAX times the operand, to RDX and RAX. */
static bool multiply(struct instruction *at, unsigned size)
{
	struct place low = register_of(at, 0, size), high = register_of(at, 2, size);
	unsigned __int128 product = (unsigned __int128)get(at, low) * get(at, at->place);
	uint64_t upper = (uint64_t)(product >> 8 * size), flags = at->registers->eflags & ~(uint64_t)MULTIPLIED;
	if (size == 4)
		upper &= UINT32_MAX;
	set(at, low, (uint64_t)product);
	set(at, high, upper);
	at->registers->eflags = flags | (upper == 0 ? 0 : MULTIPLIED);
	return next(at);
}

/* RDX and RAX by the operand. */
static bool divide(struct instruction *at, unsigned size)
{
	struct place low = register_of(at, 0, size), high = register_of(at, 2, size);
	uint64_t by = get(at, at->place);
	if (get(at, high) >= by) /* also when it is 0 */
		return false;
	unsigned __int128 number = (unsigned __int128)get(at, high) << 8 * size | get(at, low);
	set(at, low, (uint64_t)(number / by));
	set(at, high, (uint64_t)(number % by));
	return next(at);
}

static bool group_f7(struct instruction *at, unsigned size)
{
	if (!operands(at, size, size))
		return false;
	switch (at->field.number & 7) {
	case 0: return compute(at, TEST, at->place, immediate(at, size));
	case 2: set(at, at->place, ~get(at, at->place)); return next(at);
	case 3: {
		uint64_t value = get(at, at->place);
		set(at, at->place, 0);
		return compute(at, SUBTRACT, at->place, value);
	}
	case 4: return size >= 4 && multiply(at, size);
	case 6: return size >= 4 && divide(at, size);
	default: return false;
	}
}

static bool move(struct instruction *at, struct place to, uint64_t value)
{
	set(at, to, value);
	return next(at);
}

/* To a register, with zeros or the sign, from one of so many bytes. */
static bool move_extended(struct instruction *at, unsigned size, unsigned from, bool is_signed)
{
	if (!operands(at, size, from))
		return false;
	uint64_t value = get(at, at->place);
	return move(at, at->field, is_signed ? arithmetic_extended(value, from) : value);
}

static bool address(struct instruction *at, unsigned size)
{
	struct operand operand;
	if (at->bytes.has_fs || !operand_at(&at->bytes, at->registers, &operand))
		return false;
	uint64_t end = operand.is_relative ? at->registers->rip + at->bytes.at : 0;
	return move(at, register_of(at, operand.number, size), operand.address + end);
}

/* Of AX, EAX or RAX: the upper half from the lower one, or RDX from it. */
static bool extend_accumulator(struct instruction *at, unsigned size, bool is_to_rdx)
{
	uint64_t half = arithmetic_extended(at->registers->rax, is_to_rdx ? size : size / 2);
	return is_to_rdx ? move(at, register_of(at, 2, size), (int64_t)half < 0 ? ~0ULL : 0)
					 : move(at, register_of(at, 0, size), half);
}

static bool after_0f(struct instruction *at)
{
	uint8_t opcode = byte(at);
	unsigned size = operand_width(&at->bytes);
	struct operand unused;
	if (at->bytes.has_f2 || at->bytes.has_f3)
		return at->bytes.has_f3 && opcode == 0x1e && byte(at) == 0xfa && next(at); /* endbr64 */
	switch (opcode) {
	case 0x1f:
		if (at->bytes.code[at->bytes.at] >> 6 == 3)
			return false;
		operand_at(&at->bytes, at->registers, &unused);
		return next(at);
	case 0x40 ... 0x4f:
		if (!operands(at, size, size))
			return false;
		return move(at, at->field,
				get(at, arithmetic_holds(opcode & 15, at->registers->eflags) ? at->place : at->field));
	case 0x80 ... 0x8f: return jump(at, 4, arithmetic_holds(opcode & 15, at->registers->eflags));
	case 0x90 ... 0x9f:
		return operands(at, 1, 1) && move(at, at->place, arithmetic_holds(opcode & 15, at->registers->eflags));
	case 0xaf: return operands(at, size, size) && compute(at, MULTIPLY, at->field, get(at, at->place));
	case 0xb6:
	case 0xb7:
	case 0xbe:
	case 0xbf: return move_extended(at, size, opcode & 1 ? 2 : 1, opcode >= 0xbe);
	default: return false;
	}
}

static bool execute(struct instruction *at)
{
	uint8_t opcode = byte(at), rex = at->bytes.rex;
	unsigned size = opcode & 1 ? operand_width(&at->bytes) : 1, wide = operand_width(&at->bytes);
	if (opcode == 0x0f)
		return after_0f(at);
	if (at->bytes.has_f2 || at->bytes.has_f3)
		return false;
	if (opcode < 0x40 && (opcode & 7) < 6)
		return two_operands(at, opcode, size);
	switch (opcode) {
	case 0x63: return wide == 8 && move_extended(at, 8, 4, true);
	case 0x69:
	case 0x6b: {
		if (!operands(at, wide, wide))
			return false;
		uint64_t value = get(at, at->place), by = immediate(at, opcode == 0x6b ? 1 : wide), flags;
		flags = at->registers->eflags;
		value = arithmetic_result(MULTIPLY, wide, value, by, &flags);
		at->registers->eflags = flags;
		return move(at, at->field, value);
	}
	case 0x70 ... 0x7f: return jump(at, 1, arithmetic_holds(opcode & 15, at->registers->eflags));
	case 0x80:
	case 0x81:
	case 0x83:
		return operands(at, size, size) && is_known(at->field.number & 7) &&
				compute(at, at->field.number & 7, at->place, immediate(at, opcode == 0x81 ? size : 1));
	case 0x84:
	case 0x85: return operands(at, size, size) && compute(at, TEST, at->place, get(at, at->field));
	case 0x88:
	case 0x89: return operands(at, size, size) && move(at, at->place, get(at, at->field));
	case 0x8a:
	case 0x8b: return operands(at, size, size) && move(at, at->field, get(at, at->place));
	case 0x8d: return address(at, wide);
	case 0x90: return !(rex & 1) && next(at);
	case 0x98:
	case 0x99: return extend_accumulator(at, wide, opcode == 0x99);
	case 0xa8:
	case 0xa9: return compute(at, TEST, register_of(at, 0, size), immediate(at, size));
	case 0xb0 ... 0xb7: return move(at, register_of(at, (opcode & 7) | (rex & 1 ? 8 : 0), 1), immediate(at, 1));
	case 0xb8 ... 0xbf:
		return move(at, register_of(at, (opcode & 7) | (rex & 1 ? 8 : 0), wide),
				(uint64_t)operand_number(&at->bytes, wide));
	case 0xc0:
	case 0xc1:
	case 0xd0 ... 0xd3: return shift(at, size, opcode);
	case 0xc6:
	case 0xc7:
		return operands(at, size, size) && (at->field.number & 7) == 0 && move(at, at->place, immediate(at, size));
	case 0xe9: return jump(at, 4, true);
	case 0xeb: return jump(at, 1, true);
	case 0xf6:
	case 0xf7: return group_f7(at, size);
	case 0xfe:
	case 0xff: return operands(at, size, size) && (at->field.number & 7) < 2 && count(at, at->field.number & 1);
	default: return false;
	}
}

bool interpret(const uint8_t code[LONGEST_INSTRUCTION], struct user_regs_struct *registers)
{
	struct user_regs_struct after = *registers;
	struct instruction at = {.bytes = {.code = code}, .registers = &after};
	operand_prefixes(&at.bytes);
	/* Branches with 66 are of another length on processors of other makers. */
	bool is_short_branch = at.bytes.is_short &&
			((code[at.bytes.at] & 0xf0) == 0x70 || code[at.bytes.at] == 0xe9 || code[at.bytes.at] == 0xeb ||
					(code[at.bytes.at] == 0x0f && (code[at.bytes.at + 1] & 0xf0) == 0x80));
	if (is_short_branch || !execute(&at))
		return false;
	*registers = after;
	return true;
}
