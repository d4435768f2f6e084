/* SPDX-License-Identifier: Apache-2.0 */
#include "follow.h"

#include "ahead.h"
#include "effect.h"
#include "operand.h"
#include "traps.h"

#include <string.h>

enum {
	/* A register may hold a value that is no longer needed until another one comes to it. */
	MOST_STEPS_IDLE = 1 << 12,
	MOST_STEPS = 1 << 16,
	MOST_STEPS_BUSY = 32,
	RSP = 4,
	RBP = 5,
	NONE = 16
};

/* Whose flags: of no node, of a known operation on left and right, or of something else on left. */
enum flags_kind { NO_NODE, KNOWN, OTHER };

static bool is_over;
static unsigned steps;

/* An instruction, as it is decoded. */
struct code {
	const uint8_t *bytes;
	unsigned at;
	uint8_t rex;
	bool is_short;
	bool has_fs;
	unsigned field; /* a register */
	unsigned place; /* a register, unless it is memory */
	bool is_memory;
	bool is_relative; /* to the instruction's end, which is not in the address yet */
	unsigned base; /* a register; NONE */
	unsigned index;
	unsigned scale;
	uint64_t address;
};

bool follow_is_on(const struct task *task)
{
	return task->follow.is_on;
}

void follow_no_more(void)
{
	is_over = true;
}

/* What it was computed from counts as read. */
static void give_up(uint32_t number)
{
	uint32_t waiting[64];
	unsigned count = 0;
	while (number != 0) {
		struct node *node = lines_node_at(number);
		number = 0;
		if (!node->unused) { /* not done yet */
			node->unused = 1;
			switch (node->kind) {
			case CONSTANT: break;
			case BYTES: lines_are_read(node->left, node->at, node->right); break;
			default:
				number = node->left;
				if (node->right != 0 && count < sizeof waiting / sizeof *waiting)
					waiting[count++] = node->right;
				else if (node->right != 0)
					give_up(node->right);
				break;
			}
		}
		if (number == 0 && count > 0)
			number = waiting[--count];
	}
}

static uint64_t of_size(uint64_t value, unsigned size)
{
	return size == 8 ? value : value & ((1ULL << 8 * size) - 1);
}

static uint64_t computed(enum node_kind kind, uint64_t left, uint64_t right, unsigned at, unsigned size)
{
	switch (kind) {
	case ADDITION: return left + right;
	case SUBTRACTION: return left - right;
	case CONJUNCTION: return left & right;
	case DISJUNCTION: return left | right;
	case EXCLUSIVE: return left ^ right;
	case PRODUCT: return left * right;
	case SHIFT_LEFT: return left << at;
	case SHIFT_RIGHT: return left >> at;
	case SIGN: return arithmetic_extended(left, size);
	default: return 0;
	}
}

/* 0 when there is no room; then what it would be computed from counts as read. */
static uint32_t node(enum node_kind kind, uint32_t left, uint32_t right, unsigned at, unsigned size)
{
	if (left == 0 || (right == 0 && kind <= PRODUCT)) {
		give_up(left);
		give_up(right);
		return 0;
	}
	uint64_t value = computed(kind, lines_node_at(left)->value, right == 0 ? 0 : lines_node_at(right)->value, at, size);
	uint32_t made = lines_node(
			(struct node){.kind = kind, .at = at, .size = size, .left = left, .right = right, .value = value});
	if (made == 0) {
		give_up(left);
		give_up(right);
	}
	return made;
}

static uint32_t constant(uint64_t value)
{
	return lines_node((struct node){.kind = CONSTANT, .value = value});
}

static uint32_t masked(uint32_t number, uint64_t mask)
{
	return mask == UINT64_MAX || number == 0 ? number : node(CONJUNCTION, number, constant(mask), 0, 0);
}

static uint32_t sized(uint32_t number, unsigned size)
{
	return masked(number, of_size(UINT64_MAX, size));
}

/* Of a register that may hold no node. */
static uint32_t node_of(const struct follow *follow, unsigned number, unsigned size)
{
	if (follow->nodes[number] == 0)
		return constant(of_size(*operand_general((struct user_regs_struct *)&follow->before, number), size));
	return sized(follow->nodes[number], size);
}

static void drop_flags(struct follow *follow)
{
	follow->flags.kind = NO_NODE;
}

static void give_up_flags(struct follow *follow)
{
	if (follow->flags.kind != NO_NODE) {
		give_up(follow->flags.left);
		give_up(follow->flags.right);
	}
	drop_flags(follow);
}

static void give_up_register(struct follow *follow, unsigned number)
{
	give_up(follow->nodes[number]);
	follow->nodes[number] = 0;
}

void follow_end(struct task *task)
{
	struct follow *follow = &task->follow;
	if (!follow->is_on)
		return;
	for (unsigned i = 0; i < 16; i++)
		give_up_register(follow, i);
	give_up_flags(follow);
	follow->is_on = follow->is_free = false;
	ahead_end(task);
}

/* The register gets a value of this size. */
static void set(struct follow *follow, unsigned number, unsigned size, uint32_t value)
{
	follow->activity = steps;
	if (size >= 4) {
		follow->nodes[number] = value;
		return;
	}
	if (value == 0 && follow->nodes[number] == 0)
		return;
	/* The rest of the register stays. */
	uint64_t mask = of_size(UINT64_MAX, size);
	uint32_t rest = masked(node_of(follow, number, 8), ~mask);
	/* Without a node the new value is not known here: what the rest was computed from counts as read. */
	if (value == 0)
		give_up_register(follow, number);
	else
		follow->nodes[number] = node(DISJUNCTION, rest, value, 0, 0);
}

/* It gets a value that is not followed. */
static void clear(struct follow *follow, unsigned number, unsigned size)
{
	if (size >= 4)
		follow->nodes[number] = 0;
	else
		set(follow, number, size, 0);
}

static void set_flags(struct follow *follow, enum node_kind kind, unsigned size, uint32_t left, uint32_t right)
{
	bool is_known = left != 0 && (right != 0 || kind == CONDITION_LOGIC);
	if (!is_known) {
		give_up(left);
		give_up(right);
		drop_flags(follow);
		return;
	}
	follow->flags = (struct follow_flags){KNOWN, kind, size, left, right};
}

/* left = left operation right; 0 when the result is not followed. */
static uint32_t arithmetic(struct follow *follow, enum operation operation, unsigned size, uint32_t left,
		uint32_t right)
{
	static const enum node_kind kinds[] = {[ADD_TO] = ADDITION,
			[OR_TO] = DISJUNCTION,
			[AND_TO] = CONJUNCTION,
			[SUBTRACT] = SUBTRACTION,
			[XOR_TO] = EXCLUSIVE,
			[COMPARE] = SUBTRACTION,
			[TEST] = CONJUNCTION};
	uint32_t result = sized(node(kinds[operation], left, right, 0, 0), size);
	if (operation == SUBTRACT || operation == COMPARE)
		set_flags(follow, CONDITION_SUBTRACTION, size, left, right);
	else if (operation == ADD_TO)
		set_flags(follow, CONDITION_ADDITION, size, left, right);
	else
		set_flags(follow, CONDITION_LOGIC, size, result, 0);
	return result;
}

static bool is_parity_even(uint64_t value)
{
	return __builtin_parity((unsigned)(value & 0xff)) == 0;
}

static bool holds(enum node_kind kind, unsigned code, unsigned size, uint64_t left, uint64_t right)
{
	uint64_t result = left;
	struct asked flags = {0};
	unsigned top = 8 * size - 1;
	if (kind == CONDITION_SUBTRACTION) {
		result = of_size(left - right, size);
		flags.carry = left < right;
		flags.overflow = ((left ^ right) & (left ^ result)) >> top & 1;
	} else if (kind == CONDITION_ADDITION) {
		result = of_size(left + right, size);
		flags.carry = result < left;
		flags.overflow = (~(left ^ right) & (left ^ result)) >> top & 1;
	}
	flags.zero = result == 0;
	flags.sign = result >> top & 1;
	flags.parity = is_parity_even(result);
	return arithmetic_answer(code, flags);
}

/* The instruction depends on the flags. */
static void condition(struct follow *follow, unsigned code)
{
	struct follow_flags *flags = &follow->flags;
	if (flags->kind == NO_NODE)
		return;
	follow->activity = steps;
	bool is = arithmetic_holds(code, follow->before.eflags);
	if (flags->kind == OTHER) {
		give_up_flags(follow);
		return;
	}
	uint64_t left = lines_node_at(flags->left)->value,
			 right = flags->right == 0 ? 0 : lines_node_at(flags->right)->value;
	if (holds(flags->operation, code, flags->size, left, right) != is) {
		lines_wrong();
		give_up_flags(follow);
		return;
	}
	if (lines_node((struct node){.kind = flags->operation,
				.at = code,
				.size = flags->size,
				.left = flags->left,
				.right = flags->right,
				.value = is}) == 0)
		give_up_flags(follow);
}

/* What the address was made of counts as read. */
static void give_up_address(struct task *task, uint64_t instruction)
{
	uint8_t code[LONGEST_INSTRUCTION + 8] = {0};
	if (!ahead_code(task, instruction, code, LONGEST_INSTRUCTION))
		tracee_read(task->tid, instruction, code, LONGEST_INSTRUCTION);
	uint32_t address = effect_of(code).address;
	for (unsigned i = 0; i < 16; i++)
		if (address >> i & 1)
			give_up_register(&task->follow, i);
}

bool follow_load(struct task *task, struct page *page, const struct load *load, uint64_t value,
		const struct user_regs_struct *before)
{
	struct follow *follow = &task->follow;
	bool is_high = load->target == 1 && !load->has_rex && load->number >= 4 && !load->has_immediate;
	uint32_t line;
	if (follow->is_on)
		give_up_address(task, before->rip);
	if (load->size == 0)
		return true;
	if (!lines_is_followed() || is_over || steps > MOST_STEPS || load->size > 8 || load->is_vector ||
			load->operation == DIVIDE || load->operation == MULTIPLY || is_high)
		return false;
	unsigned from = load->address % PAGE;
	if (from / LINE != (from + load->size - 1) / LINE)
		return false;
	uint64_t bytes = lines_loaded(page, from, load->size, &line);
	if (!follow->is_on && bytes == 0)
		return false;
	follow->before = *before;
	value = of_size(value, load->size);
	uint32_t loaded = bytes == 0 ? constant(value)
								 : lines_node((struct node){.kind = BYTES,
										   .at = from % LINE,
										   .size = load->size,
										   .left = line,
										   .right = bytes,
										   .value = value});
	if (loaded == 0)
		return false;
	if (!follow->is_on) {
		memset(follow->nodes, 0, sizeof follow->nodes);
		drop_flags(follow);
		follow->is_on = true;
		follow->is_free = follow->is_foreseen = false;
		ahead_begin();
	}
	follow->activity = steps;
	unsigned number = load->number;
	if (load->operation == MOVE) {
		if (bytes == 0)
			clear(follow, number, load->target);
		else if (load->is_signed)
			set(follow, number, load->target, sized(node(SIGN, loaded, 0, 0, load->size), load->target));
		else
			set(follow, number, load->target, loaded);
		return true;
	}
	/* Which register it is does not matter to instructions with immediate operands. */
	bool is_clean = bytes == 0 && (load->has_immediate || follow->nodes[number] == 0);
	if (is_clean) {
		drop_flags(follow);
		if (load->operation != COMPARE && load->operation != TEST)
			clear(follow, number, load->size);
		return true;
	}
	uint32_t other =
			load->has_immediate ? constant(of_size(load->immediate, load->size)) : node_of(follow, number, load->size);
	uint32_t left = load->is_reversed ? loaded : other, right = load->is_reversed ? other : loaded;
	uint32_t result = arithmetic(follow, load->operation, load->size, left, right);
	if (load->operation != COMPARE && load->operation != TEST)
		set(follow, number, load->size, result);
	return true;
}

static int64_t number_at(struct code *code, unsigned size)
{
	uint64_t value = 0;
	for (unsigned i = 0; i < size; i++)
		value |= (uint64_t)code->bytes[code->at++] << 8 * i;
	return (int64_t)arithmetic_extended(value, size);
}

static unsigned operand_size(const struct code *code)
{
	return code->rex & 8 ? 8 : code->is_short ? 2 : 4;
}

static unsigned immediate_size(unsigned size)
{
	return size == 8 ? 4 : size;
}

/* ModRM and what follows it. */
static void operands_unused(struct follow *follow, struct code *code)
{
	uint8_t modrm = code->bytes[code->at++];
	unsigned mode = modrm >> 6, base = modrm & 7;
	code->field = (modrm >> 3 & 7) | (code->rex & 4 ? 8 : 0);
	code->place = base | (code->rex & 1 ? 8 : 0);
	code->is_memory = mode != 3;
	code->base = code->index = NONE;
	if (mode == 3)
		return;
	code->base = code->place;
	code->is_relative = base == 5 && mode == 0;
	if (base == 4) {
		uint8_t sib = code->bytes[code->at++];
		code->index = (sib >> 3 & 7) | (code->rex & 2 ? 8 : 0);
		code->scale = sib >> 6;
		code->base = (sib & 7) | (code->rex & 1 ? 8 : 0);
		if (code->index == RSP)
			code->index = NONE;
		if ((sib & 7) == 5 && mode == 0) {
			code->base = NONE;
			code->address = number_at(code, 4);
		}
	} else if (code->is_relative) {
		code->base = NONE;
		code->address = number_at(code, 4) + follow->before.rip;
	}
	if (mode != 0)
		code->address = number_at(code, mode == 1 ? 1 : 4);
	if (code->base != NONE)
		code->address += *operand_general(&follow->before, code->base);
	if (code->index != NONE)
		code->address += *operand_general(&follow->before, code->index) << code->scale;
	if (code->has_fs)
		code->address += follow->before.fs_base;
}

/* The same; what an address depends on counts as read. */
static void operands(struct follow *follow, struct code *code)
{
	operands_unused(follow, code);
	if (code->base != NONE)
		give_up_register(follow, code->base);
	if (code->index != NONE)
		give_up_register(follow, code->index);
}

/* Byte registers without a prefix: 4 to 7 are the second bytes of others. */
static bool is_high(const struct code *code, unsigned number, unsigned size)
{
	return size == 1 && code->rex == 0 && number >= 4 && number < 8;
}

/* Of the operand that may be memory. False when that cannot be read. */
static bool value_of_place(struct task *task, const struct code *code, unsigned size, uint32_t *value)
{
	struct follow *follow = &task->follow;
	if (!code->is_memory) {
		if (is_high(code, code->place, size))
			return false;
		*value = node_of(follow, code->place, size);
		return true;
	}
	uint64_t content = 0, address = code->address + (code->is_relative ? code->at : 0);
	if (tracee_read(task->tid, address, &content, size) != size)
		return false;
	*value = constant(content);
	return true;
}

static bool is_clean(const struct follow *follow, const struct code *code)
{
	return code->is_memory || follow->nodes[code->place] == 0;
}

/* Something else than a followed value comes to the operand. */
static void clear_place(struct follow *follow, const struct code *code, unsigned size)
{
	if (!code->is_memory)
		clear(follow, is_high(code, code->place, size) ? code->place - 4 : code->place, size);
}

/* Arithmetic of two operands, of which a register is the right or the left one. */
static bool two_operands(struct task *task, struct code *code, enum operation operation, unsigned size,
		bool to_register)
{
	struct follow *follow = &task->follow;
	operands(follow, code);
	bool is_right_clean = follow->nodes[code->field] == 0 && !is_high(code, code->field, size);
	bool is_high_used = is_high(code, code->field, size) || (!code->is_memory && is_high(code, code->place, size));
	bool is_result_kept = operation != COMPARE && operation != TEST;
	if (is_high_used) {
		give_up_register(follow, code->field & 3);
		if (!code->is_memory)
			give_up_register(follow, code->place & 3);
		give_up_register(follow, code->field);
		if (!code->is_memory)
			give_up_register(follow, code->place);
		drop_flags(follow);
		return true;
	}
	if (!code->is_memory && code->field == code->place && (operation == XOR_TO || operation == SUBTRACT)) {
		drop_flags(follow);
		clear(follow, code->field, size);
		return true;
	}
	if (operation == ADD_CARRY || operation == SUBTRACT_BORROW) {
		give_up_flags(follow);
		give_up_register(follow, code->field);
		if (!code->is_memory)
			give_up_register(follow, code->place);
		return true;
	}
	if (is_right_clean && is_clean(follow, code)) {
		drop_flags(follow);
		return true;
	}
	if (code->is_memory && !to_register && is_result_kept) {
		give_up_register(follow, code->field); /* stored */
		drop_flags(follow);
		return true;
	}
	uint32_t place, field = node_of(follow, code->field, size);
	if (!value_of_place(task, code, size, &place))
		return false;
	uint32_t result = to_register ? arithmetic(follow, operation, size, field, place)
								  : arithmetic(follow, operation, size, place, field);
	if (is_result_kept)
		set(follow, to_register ? code->field : code->place, size, result);
	return true;
}

static bool with_immediate(struct task *task, struct code *code, enum operation operation, unsigned size,
		unsigned immediate_bytes)
{
	struct follow *follow = &task->follow;
	uint32_t place;
	if (is_clean(follow, code)) {
		if (operation == ADD_CARRY || operation == SUBTRACT_BORROW)
			give_up_flags(follow);
		drop_flags(follow); /* and of memory no value is followed */
		return true;
	}
	if (operation == ADD_CARRY || operation == SUBTRACT_BORROW || is_high(code, code->place, size)) {
		give_up_flags(follow);
		give_up_register(follow, is_high(code, code->place, size) ? code->place - 4 : code->place);
		return true;
	}
	if (!value_of_place(task, code, size, &place))
		return false;
	uint64_t immediate = of_size(number_at(code, immediate_bytes), size);
	uint32_t result = arithmetic(follow, operation, size, place, constant(immediate));
	if (operation != COMPARE && operation != TEST)
		set(follow, code->place, size, result);
	return true;
}

static void other_flags(struct follow *follow, uint32_t of)
{
	follow->flags = (struct follow_flags){of == 0 ? NO_NODE : OTHER, 0, 0, of, 0};
}

/* By an immediate number of bits. */
static void shift(struct follow *follow, struct code *code, unsigned size, unsigned by)
{
	by &= size == 8 ? 63 : 31;
	if (by == 0)
		return;
	if (is_clean(follow, code)) {
		drop_flags(follow);
		return;
	}
	uint32_t of = node_of(follow, code->place, size), result = 0;
	unsigned kind = code->field & 7;
	if (kind == 4 || kind == 6)
		result = sized(node(SHIFT_LEFT, of, 0, by, 0), size);
	else if (kind == 5)
		result = node(SHIFT_RIGHT, of, 0, by, 0);
	else if (kind < 2 && size >= 4) { /* rotations */
		unsigned left = kind == 0 ? by : 8 * size - by;
		result = node(DISJUNCTION, sized(node(SHIFT_LEFT, of, 0, left, 0), size),
				node(SHIFT_RIGHT, of, 0, 8 * size - left, 0), 0, 0);
	}
	if (result == 0 || is_high(code, code->place, size)) {
		give_up_register(follow, is_high(code, code->place, size) ? code->place - 4 : code->place);
		give_up_flags(follow);
		return;
	}
	if (kind < 4)
		give_up_flags(follow); /* rotations leave some of them */
	other_flags(follow, of);
	set(follow, code->place, size, result);
}

/* A register goes to a register or memory, or comes from there. */
static bool move(struct follow *follow, struct code *code, unsigned size, bool to_register)
{
	operands(follow, code);
	if (is_high(code, code->field, size) || (!code->is_memory && is_high(code, code->place, size))) {
		give_up_register(follow, code->field & 3);
		give_up_register(follow, code->field);
		if (!code->is_memory) {
			give_up_register(follow, code->place & 3);
			give_up_register(follow, code->place);
		}
		return true;
	}
	if (code->is_memory && !to_register)
		give_up_register(follow, code->field);
	else if (code->is_memory)
		clear(follow, code->field, size);
	else {
		unsigned from = to_register ? code->place : code->field, to = to_register ? code->field : code->place;
		if (follow->nodes[from] == 0)
			clear(follow, to, size);
		else
			set(follow, to, size, node_of(follow, from, size));
	}
	return true;
}

static bool group_f7(struct follow *follow, struct code *code, unsigned size, struct task *task)
{
	operands(follow, code);
	unsigned operation = code->field & 7;
	if (operation < 2)
		return with_immediate(task, code, TEST, size, size == 1 ? 1 : immediate_size(size));
	if (operation >= 4) { /* products and quotients in RDX and RAX */
		give_up_register(follow, 0);
		give_up_register(follow, 2);
		if (!code->is_memory)
			give_up_register(follow, is_high(code, code->place, size) ? code->place - 4 : code->place);
		drop_flags(follow);
		return true;
	}
	if (is_clean(follow, code)) {
		if (operation == 3)
			drop_flags(follow);
		return true;
	}
	if (is_high(code, code->place, size))
		return false;
	uint32_t of = node_of(follow, code->place, size);
	if (operation == 2) {
		set(follow, code->place, size, node(EXCLUSIVE, of, constant(of_size(UINT64_MAX, size)), 0, 0));
		return true;
	}
	uint32_t zero = constant(0);
	set(follow, code->place, size, arithmetic(follow, SUBTRACT, size, zero, of));
	return true;
}

static bool group_ff(struct follow *follow, struct code *code, unsigned size)
{
	operands(follow, code);
	unsigned operation = code->field & 7;
	if (operation > 1 && operation < 7) { /* calls, jumps and push */
		if (!code->is_memory)
			give_up_register(follow, code->place);
		return operation != 3 && operation != 5;
	}
	if (operation > 1)
		return false;
	give_up_flags(follow); /* one of them stays */
	if (is_clean(follow, code))
		return true;
	if (is_high(code, code->place, size))
		return false;
	uint32_t of = node_of(follow, code->place, size);
	set(follow, code->place, size, sized(node(operation == 0 ? ADDITION : SUBTRACTION, of, constant(1), 0, 0), size));
	other_flags(follow, of);
	return true;
}

/* What has no other effect on general registers than that of its address. */
static bool is_of_vectors(uint8_t opcode)
{
	switch (opcode) {
	case 0x10 ... 0x17:
	case 0x28:
	case 0x29:
	case 0x2b:
	case 0x51:
	case 0x54 ... 0x5f:
	case 0x60 ... 0x6d:
	case 0x6f:
	case 0x74 ... 0x76:
	case 0x7f:
	case 0xd4:
	case 0xd6:
	case 0xe7:
	case 0xeb:
	case 0xef:
	case 0xf8 ... 0xfe: return true;
	default: return false;
	}
}

/* One bit goes to the carry flag, and the zero flag stays. */
static void change_bit(struct follow *follow, struct code *code, unsigned size)
{
	unsigned operation = code->field & 7;
	uint64_t bit = 1ULL << (code->bytes[code->at] & (8 * size - 1));
	struct follow_flags before = follow->flags;
	if (is_clean(follow, code)) {
		if (before.kind == KNOWN)
			follow->flags.kind = OTHER;
		return;
	}
	uint32_t of = node_of(follow, code->place, size), result = of;
	if (operation == 5)
		result = node(DISJUNCTION, of, constant(bit), 0, 0);
	else if (operation == 6)
		result = node(CONJUNCTION, of, constant(~bit), 0, 0);
	else if (operation == 7)
		result = node(EXCLUSIVE, of, constant(bit), 0, 0);
	if (before.kind != NO_NODE && before.right != 0)
		of = node(EXCLUSIVE, of, before.right, 0, 0);
	follow->flags = (struct follow_flags){.kind = of == 0 ? NO_NODE : OTHER,
			.left = of,
			.right = before.kind == NO_NODE ? 0 : before.left};
	if (of == 0 && before.kind != NO_NODE)
		give_up(before.left);
	if (operation != 4)
		set(follow, code->place, size, result);
}

static bool after_0f(struct task *task, struct code *code, bool has_f2_or_f3)
{
	struct follow *follow = &task->follow;
	uint8_t opcode = code->bytes[code->at++];
	unsigned size = operand_size(code);
	if (opcode >= 0x80 && opcode < 0x90) {
		condition(follow, opcode & 15);
		return true;
	}
	if (is_of_vectors(opcode)) {
		operands(follow, code);
		return true;
	}
	if (opcode == 0x0d || opcode == 0x18 || (opcode >= 0x1c && opcode <= 0x1f)) {
		operands_unused(follow, code);
		return true;
	}
	if (has_f2_or_f3)
		return false;
	switch (opcode) {
	case 0x40 ... 0x4f: {
		operands(follow, code);
		bool is = arithmetic_holds(opcode & 15, follow->before.eflags);
		condition(follow, opcode & 15);
		if (!is) {
			if (size == 4 && follow->nodes[code->field] != 0)
				follow->nodes[code->field] = sized(follow->nodes[code->field], 4);
			return true;
		}
		if (is_clean(follow, code))
			clear(follow, code->field, size);
		else
			set(follow, code->field, size, node_of(follow, code->place, size));
		return true;
	}
	case 0x90 ... 0x9f:
		operands(follow, code);
		condition(follow, opcode & 15);
		if (code->is_memory)
			return true;
		if (is_high(code, code->place, 1))
			give_up_register(follow, code->place - 4);
		else if (follow->nodes[code->place] != 0)
			set(follow, code->place, 1, constant(arithmetic_holds(opcode & 15, follow->before.eflags)));
		return true;
	case 0xaf:
		operands(follow, code);
		if (is_clean(follow, code) && follow->nodes[code->field] == 0) {
			drop_flags(follow);
			return true;
		}
		give_up_register(follow, code->field);
		if (!code->is_memory)
			give_up_register(follow, code->place);
		drop_flags(follow);
		return true;
	case 0xb6:
	case 0xb7:
	case 0xbe:
	case 0xbf: {
		unsigned from = opcode & 1 ? 2 : 1;
		operands(follow, code);
		if (!code->is_memory && is_high(code, code->place, from)) {
			give_up_register(follow, code->place - 4);
			clear(follow, code->field, size);
		} else if (is_clean(follow, code))
			clear(follow, code->field, size);
		else {
			uint32_t of = node_of(follow, code->place, from);
			if (opcode >= 0xbe)
				of = sized(node(SIGN, of, 0, 0, from), size);
			set(follow, code->field, size, of);
		}
		return true;
	}
	case 0xae: /* flushes and fences */ operands(follow, code); return (code->field & 7) >= (code->is_memory ? 6 : 5);
	case 0xba:
		operands(follow, code);
		change_bit(follow, code, size);
		return true;
	default: return false;
	}
}

/* One that is computed and not used. */
static void address(struct follow *follow, struct code *code)
{
	unsigned size = operand_size(code);
	operands_unused(follow, code);
	bool is_followed = (code->base != NONE && follow->nodes[code->base] != 0) ||
			(code->index != NONE && follow->nodes[code->index] != 0);
	if (!is_followed) {
		clear(follow, code->field, size);
		return;
	}
	uint64_t rest = code->address;
	uint32_t base = constant(0), index = constant(0);
	if (code->base != NONE) {
		base = node_of(follow, code->base, 8);
		rest -= *operand_general(&follow->before, code->base);
	}
	if (code->index != NONE) {
		index = node(SHIFT_LEFT, node_of(follow, code->index, 8), 0, code->scale, 0);
		rest -= *operand_general(&follow->before, code->index) << code->scale;
	}
	uint32_t sum = node(ADDITION, node(ADDITION, base, index, 0, 0), constant(rest), 0, 0);
	set(follow, code->field, size, sized(sum, size));
}

/* Follows what the instruction will do. False when it is not known. */
static bool foresee(struct task *task, const uint8_t *bytes)
{
	struct follow *follow = &task->follow;
	struct code code = {.bytes = bytes};
	bool has_f2_or_f3 = false;
	for (;; code.at++) {
		if (bytes[code.at] == 0x66)
			code.is_short = true;
		else if (bytes[code.at] == 0xf2 || bytes[code.at] == 0xf3)
			has_f2_or_f3 = true;
		else if (bytes[code.at] == 0x64)
			code.has_fs = true;
		else if (bytes[code.at] != 0x2e)
			break;
		if (code.at == 4)
			return false;
	}
	if ((bytes[code.at] & 0xf0) == 0x40)
		code.rex = bytes[code.at++];
	uint8_t opcode = bytes[code.at++];
	unsigned size = opcode & 1 ? operand_size(&code) : 1;
	if (opcode == 0x0f)
		return after_0f(task, &code, has_f2_or_f3);
	if (has_f2_or_f3 && opcode != 0xc3)
		return false;
	if (opcode < 0x40 && (opcode & 7) < 4)
		return two_operands(task, &code, opcode >> 3, size, opcode & 2);
	if (opcode < 0x40 && (opcode & 7) < 6) {
		code.place = 0;
		return with_immediate(task, &code, opcode >> 3, size, immediate_size(size));
	}
	switch (opcode) {
	case 0x50 ... 0x57: give_up_register(follow, (opcode & 7) | (code.rex & 1 ? 8 : 0)); return !code.is_short;
	case 0x58 ... 0x5f: clear(follow, (opcode & 7) | (code.rex & 1 ? 8 : 0), 8); return !code.is_short;
	case 0x63:
		operands(follow, &code);
		if (is_clean(follow, &code))
			clear(follow, code.field, operand_size(&code));
		else
			set(follow, code.field, operand_size(&code),
					sized(node(SIGN, node_of(follow, code.place, 4), 0, 0, 4), operand_size(&code)));
		return true;
	case 0x68:
	case 0x6a: return true;
	case 0x69:
	case 0x6b:
		operands(follow, &code);
		if (!code.is_memory)
			give_up_register(follow, code.place);
		clear(follow, code.field, operand_size(&code));
		drop_flags(follow);
		return true;
	case 0x70 ... 0x7f: condition(follow, opcode & 15); return true;
	case 0x80:
	case 0x81:
	case 0x83:
		operands(follow, &code);
		return with_immediate(task, &code, code.field & 7, size, opcode == 0x81 ? immediate_size(size) : 1);
	case 0x84:
	case 0x85: return two_operands(task, &code, TEST, size, false);
	case 0x88:
	case 0x89: return move(follow, &code, size, false);
	case 0x8a:
	case 0x8b: return move(follow, &code, size, true);
	case 0x8d: address(follow, &code); return true;
	case 0x90: return true;
	case 0x98:
	case 0x99:
		give_up_register(follow, 0);
		if (opcode == 0x99)
			clear(follow, 2, operand_size(&code));
		return true;
	case 0xa8:
	case 0xa9: code.place = 0; return with_immediate(task, &code, TEST, size, immediate_size(size));
	case 0xb0 ... 0xb7: {
		unsigned number = (opcode & 7) | (code.rex & 1 ? 8 : 0);
		give_up_register(follow, is_high(&code, number, 1) ? number - 4 : number);
		return true;
	}
	case 0xb8 ... 0xbf: clear(follow, (opcode & 7) | (code.rex & 1 ? 8 : 0), operand_size(&code)); return true;
	case 0xc0:
	case 0xc1: {
		operands(follow, &code);
		shift(follow, &code, size, bytes[code.at]);
		return true;
	}
	case 0xd0:
	case 0xd1:
		operands(follow, &code);
		shift(follow, &code, size, 1);
		return true;
	case 0xd2:
	case 0xd3:
		operands(follow, &code);
		give_up_register(follow, 1);
		shift(follow, &code, size, follow->before.rcx);
		return true;
	case 0xc3: return true;
	case 0xc6:
	case 0xc7:
		operands(follow, &code);
		clear_place(follow, &code, size);
		return true;
	case 0xc9: give_up_register(follow, RBP); return true;
	case 0xe8:
	case 0xe9:
	case 0xeb: return true;
	case 0xf6:
	case 0xf7: return group_f7(follow, &code, size, task);
	case 0xfe:
	case 0xff: return group_ff(follow, &code, size);
	default: return false;
	}
}

/* Whether registers hold what they should. */
static bool is_right(struct follow *follow)
{
	for (unsigned i = 0; i < 16; i++)
		if (follow->nodes[i] != 0 && lines_node_at(follow->nodes[i])->value != *operand_general(&follow->before, i))
			return false;
	return true;
}

/* What registers and flags hold something: a bit for each, as in effect.h. */
static uint32_t kept(const struct follow *follow)
{
	uint32_t all = follow->flags.kind == NO_NODE ? 0 : FLAGS_BIT;
	for (unsigned i = 0; i < 16; i++)
		all |= follow->nodes[i] == 0 ? 0 : 1U << i;
	return all;
}

/* They get something that is not followed. */
static void drop(struct follow *follow, uint32_t registers)
{
	for (unsigned i = 0; i < 16; i++)
		if (registers >> i & 1)
			follow->nodes[i] = 0;
	if (registers & FLAGS_BIT)
		drop_flags(follow);
}

/*
 * Up to the instruction that comes next nothing looked at these registers. A register that may hold what it did is
 * taken to do so if it has that value: then conditions may depend on more than the program does, never on less.
 */
void follow_arrive(struct task *task, const struct user_regs_struct *registers)
{
	struct follow *follow = &task->follow;
	if (!follow->is_on || !follow->is_free)
		return;
	if (registers == NULL) {
		follow_end(task);
		return;
	}
	follow->is_free = follow->is_foreseen = false;
	drop(follow, ~ahead_kept(task, registers->rip));
	for (unsigned i = 0; i < 16; i++)
		if (follow->nodes[i] != 0 &&
				lines_node_at(follow->nodes[i])->value != *operand_general((struct user_regs_struct *)registers, i))
			follow->nodes[i] = 0;
}

/* Follows what the instruction will do. False when it is not known. */
static bool follow_instruction(struct task *task, const uint8_t *code)
{
	struct effect effect = effect_of(code);
	if (effect.way == ELSEWHERE || (effect.reads & kept(&task->follow)) != 0)
		return foresee(task, code);
	drop(&task->follow, effect.writes);
	return true;
}

void follow_access(struct task *task, const struct user_regs_struct *registers, const uint8_t code[LONGEST_INSTRUCTION])
{
	struct follow *follow = &task->follow;
	uint8_t longer[LONGEST_INSTRUCTION + 8] = {0};
	if (!follow->is_on || follow->is_foreseen)
		return;
	memcpy(longer, code, LONGEST_INSTRUCTION);
	follow->before = *registers;
	if (follow_instruction(task, longer))
		follow->is_foreseen = true;
	else
		follow_end(task);
}

/* Whether it was a short time ago that something happened to these registers: then it may be soon again. */
static bool is_busy(const struct follow *follow)
{
	return steps - follow->activity <= MOST_STEPS_BUSY;
}

static enum trap look_ahead(struct task *task, struct instruction *instruction)
{
	struct follow *follow = &task->follow;
	struct load load;
	if (++steps > MOST_STEPS || steps - follow->activity > MOST_STEPS_IDLE || instruction == NULL)
		return NOT_OURS;
	follow->before = instruction->registers;
	follow_arrive(task, &follow->before);
	follow->is_foreseen = false;
	if (!follow->is_on)
		return NOT_OURS;
	if (!is_right(follow)) {
		lines_wrong();
		return NOT_OURS;
	}
	give_up_register(follow, RSP);
	uint32_t holding = kept(follow);
	if (holding == 0)
		return NOT_OURS;
	/* Of a load that would trap follow_load is told. */
	if (emulate_parse(instruction->code, &follow->before, &load) && traps_is_closed(task->space, load.address, 1))
		return LOADS;
	struct instruction after = *instruction;
	bool is_read = is_busy(follow) && instead_read(task, &after);
	if (!is_read && !(is_busy(follow) && instead_can_store(task, instruction)))
		switch (ahead_look(task, &follow->before, holding)) {
		case NEVER:
			drop(follow, ~0U);
			follow_end(task);
			return GO_ON;
		case FAR: follow->is_free = true; return TO_BREAKPOINT;
		default: is_read = instead_read(task, &after); break;
		}
	follow->is_foreseen = true;
	if (!follow_instruction(task, instruction->code))
		return NOT_OURS;
	if (!is_read && !instead_store(task, &after))
		return STEP;
	instruction->registers = after.registers;
	return EXECUTED;
}

enum trap follow_next(struct task *task, struct instruction *instruction)
{
	if (task->follow.is_on) {
		enum trap trap = look_ahead(task, instruction);
		if (trap != NOT_OURS)
			return trap;
		follow_end(task);
	}
	return GO_ON;
}
