/* SPDX-License-Identifier: Apache-2.0 */
#include "emulate.h"

#include "operand.h"

#include <string.h>

/* What the opcode does; the register field of ModRM may belong to it. */
static bool operation_of(struct load *load, const struct bytes *bytes, uint8_t opcode, uint8_t modrm,
		unsigned *immediate)
{
	unsigned size = operand_width(bytes), field = modrm >> 3 & 7;
	*immediate = 0;
	load->target = load->size = opcode & 1 ? size : 1;
	if (opcode < 0x40 && (opcode & 6) == 2) { /* register op= memory */
		load->operation = opcode >> 3;
		return load->operation != 2 && load->operation != 3; /* those with carry */
	}
	switch (opcode) {
	case 0x38:
	case 0x39:
		load->operation = COMPARE;
		load->is_reversed = true;
		return true;
	case 0x63:
		load->operation = MOVE;
		load->size = 4;
		load->target = size;
		load->is_signed = true;
		return size == 8;
	case 0x80:
	case 0x81:
	case 0x83:
		load->operation = COMPARE;
		load->is_reversed = true;
		*immediate = opcode == 0x81 ? (size == 2 ? 2 : 4) : 1;
		return field == 7;
	case 0x84:
	case 0x85: load->operation = TEST; return true;
	case 0x8a:
	case 0x8b: load->operation = MOVE; return true;
	case 0xf6:
	case 0xf7:
		load->operation = TEST;
		*immediate = opcode == 0xf6 ? 1 : size == 2 ? 2 : 4;
		if (opcode == 0xf7 && field == 6 && size >= 4) {
			load->operation = DIVIDE;
			*immediate = 0;
			return true;
		}
		return field == 0;
	default: return false;
	}
}

/* Loads that leave the upper half of a YMM register alone: those without VEX. */
static bool operation_of_vector(struct load *load, const struct bytes *bytes, uint8_t opcode)
{
	load->operation = MOVE;
	load->is_vector = true;
	load->target = 16;
	switch (opcode) {
	case 0x10: load->size = bytes->has_f3 ? 4 : bytes->has_f2 ? 8 : 16; return true;
	case 0x28:
		load->size = 16;
		load->is_aligned = true;
		return !bytes->has_f2 && !bytes->has_f3;
	case 0x6f:
		load->size = 16;
		load->is_aligned = bytes->is_short;
		return bytes->is_short || bytes->has_f3;
	case 0x7e: load->size = 8; return bytes->has_f3;
	default: return false;
	}
}

static bool operation_of_0f(struct load *load, const struct bytes *bytes, uint8_t opcode, uint8_t modrm)
{
	if (operation_of_vector(load, bytes, opcode))
		return true;
	load->is_vector = false;
	load->operation = MOVE;
	load->target = operand_width(bytes);
	if (bytes->has_f2 || bytes->has_f3)
		return false;
	switch (opcode) {
	case 0xb6:
	case 0xb7:
	case 0xbe:
	case 0xbf:
		load->size = opcode & 1 ? 2 : 1;
		load->is_signed = opcode >= 0xbe;
		return true;
	case 0xaf:
		load->operation = MULTIPLY;
		load->size = load->target;
		return true;
	case 0xae: /* clflush, clflushopt, clwb */
		load->operation = NOTHING;
		load->size = 0;
		return (modrm >> 3 & 7) == 7 || ((modrm >> 3 & 7) == 6 && bytes->is_short);
	default: return false;
	}
}

bool emulate_parse(const uint8_t code[LONGEST_INSTRUCTION], const struct user_regs_struct *registers, struct load *load)
{
	struct bytes bytes = {.code = code};
	struct operand operand;
	unsigned immediate = 0;
	bool is_known;
	*load = (struct load){0};
	operand_prefixes(&bytes);
	uint8_t opcode = code[bytes.at++];
	if (opcode == 0x0f) {
		opcode = code[bytes.at++];
		is_known = operation_of_0f(load, &bytes, opcode, code[bytes.at]);
	} else
		is_known = !bytes.has_f2 && !bytes.has_f3 && operation_of(load, &bytes, opcode, code[bytes.at], &immediate);
	if (!is_known || !operand_at(&bytes, registers, &operand))
		return false;
	load->address = operand.address;
	load->number = operand.number;
	load->has_rex = bytes.rex != 0;
	load->has_immediate = immediate != 0;
	load->immediate = immediate == 0 ? 0 : operand_number(&bytes, immediate);
	load->length = bytes.at;
	if (operand.is_relative)
		load->address += registers->rip + load->length;
	return load->length <= LONGEST_INSTRUCTION;
}

/* SPL to DIL are those only with a prefix; else these numbers are AH to BH. */
static bool is_high_byte(const struct load *load)
{
	return load->target == 1 && !load->has_rex && load->number >= 4;
}

static uint64_t other_operand(const struct load *load, const struct user_regs_struct *registers)
{
	if (load->has_immediate)
		return load->immediate;
	return is_high_byte(load) ? operand_value(registers, load->number - 4) >> 8
							  : operand_value(registers, load->number);
}

static void result(const struct load *load, uint64_t value, struct user_regs_struct *registers)
{
	uint64_t *place = operand_general(registers, is_high_byte(load) ? load->number - 4 : load->number);
	if (is_high_byte(load))
		*place = (*place & ~0xff00ULL) | (value & 0xff) << 8;
	else if (load->target == 1)
		*place = (*place & ~0xffULL) | (value & 0xff);
	else if (load->target == 2)
		*place = (*place & ~0xffffULL) | (value & 0xffff);
	else if (load->target == 4)
		*place = (uint32_t)value;
	else
		*place = value;
}

static uint64_t extended(const struct load *load, uint64_t value)
{
	unsigned unused = 64 - 8 * load->size;
	return load->is_signed ? (uint64_t)((int64_t)(value << unused) >> unused) : value << unused >> unused;
}

/* Of RDX and RAX; flags are undefined after it. */
static bool divide(const struct load *load, uint64_t by, struct user_regs_struct *registers)
{
	uint64_t high = load->size == 8 ? registers->rdx : (uint32_t)registers->rdx;
	if (by == 0 || high >= by)
		return false;
	if (load->size == 4) {
		uint64_t number = high << 32 | (uint32_t)registers->rax;
		registers->rax = number / by;
		registers->rdx = number % by;
	} else {
		unsigned __int128 number = (unsigned __int128)high << 64 | registers->rax;
		registers->rax = (uint64_t)(number / by);
		registers->rdx = (uint64_t)(number % by);
	}
	return true;
}

void emulate_vector(const struct load *load, struct value value, struct user_fpregs_struct *vectors)
{
	if (load->size < 16)
		value.high = 0;
	if (load->size < 8)
		value.low = (uint32_t)value.low;
	memcpy(&vectors->xmm_space[load->number * 4], &value, sizeof value);
}

bool emulate(const struct load *load, uint64_t value, struct user_regs_struct *registers)
{
	if (load->operation == DIVIDE && !divide(load, extended(load, value), registers))
		return false;
	registers->rip += load->length;
	if (load->operation == NOTHING || load->operation == DIVIDE || load->is_vector)
		return true;
	if (load->operation == MOVE) {
		result(load, extended(load, value), registers);
		return true;
	}
	uint64_t other = other_operand(load, registers);
	uint64_t left = load->is_reversed ? value : other, right = load->is_reversed ? other : value;
	uint64_t flags = registers->eflags;
	uint64_t computed = arithmetic_result(load->operation, load->size, left, right, &flags);
	registers->eflags = flags;
	if (load->operation != COMPARE && load->operation != TEST)
		result(load, computed, registers);
	return true;
}
