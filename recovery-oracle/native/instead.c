/* SPDX-License-Identifier: Apache-2.0 */
#include "instead.h"

#include "emulate.h"
#include "follow.h"
#include "interpret.h"
#include "operand.h"
#include "stores.h"
#include "traps.h"
#include "view.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>

#define TRAP_FLAG 0x100
#define RBP 5

/* Bytes of a string that are moved at once. */
#define MOST_MOVED 65536

/* Bytes of a closed page: up to 16. */
static bool peek(pid_t tid, const struct mapped *mapped, uint64_t address, unsigned size, struct value *value)
{
	*value = (struct value){0};
	if (size == 0 || (mapped->is_shared && view_read(mapped->page, address % PAGE, value, size)))
		return true;
	unsigned behind = address % PAGE > PAGE - sizeof value->low ? address % sizeof value->low : 0;
	errno = 0;
	value->low = (uint64_t)ptrace(PTRACE_PEEKDATA, tid, address - behind, NULL) >> 8 * behind;
	if (errno == 0 && size > 8)
		value->high = (uint64_t)ptrace(PTRACE_PEEKDATA, tid, address + 8, NULL);
	return errno == 0;
}

/* Whether an instruction can be executed in the program's place. */
static bool is_free(const struct task *task, const struct instruction *instruction)
{
	return task->opened_count == 0 && !(instruction->registers.eflags & TRAP_FLAG);
}

/* What it reads is noted only if it cannot be followed. */
bool instead_load(struct task *task, const struct mapped *mapped, uint64_t address, struct instruction *instruction)
{
	struct load load;
	struct value value;
	struct user_regs_struct before = instruction->registers;
	if (!is_free(task, instruction) || !(mapped->protection & PROT_READ) ||
			!emulate_parse(instruction->code, &instruction->registers, &load) || load.address != address ||
			address % PAGE + load.size > PAGE || (load.is_aligned && address % 16 != 0) ||
			!peek(task->tid, mapped, address, load.size, &value) || !emulate(&load, value.low, &instruction->registers))
		return false;
	if (load.is_vector) {
		struct user_fpregs_struct vectors;
		if (ptrace(PTRACE_GETFPREGS, task->tid, NULL, &vectors) != 0)
			return false;
		emulate_vector(&load, value, &vectors);
		if (ptrace(PTRACE_SETFPREGS, task->tid, NULL, &vectors) != 0)
			return false;
	}
	if (!mapped->is_shared || !follow_load(task, mapped->page, &load, value.low, &before)) {
		follow_end(task);
		if (load.size > 0)
			space_read(task->space, address, load.size);
	}
	return true;
}

static bool store(struct task *task, const struct mapped *mapped, uint64_t address, struct instruction *instruction)
{
	struct store store;
	uint8_t value[LARGEST_STORE];
	if (!is_free(task, instruction) || !(mapped->protection & PROT_WRITE) || !mapped->is_shared ||
			!stores_parse(instruction->code, &instruction->registers, &store) || store.address != address ||
			address % PAGE + store.size > PAGE || (store.is_aligned && address % store.size != 0) ||
			!stores_value(task->tid, &store, &instruction->registers, value))
		return false;
	follow_access(task, &instruction->registers, instruction->code);
	if (!view_write(mapped->page, address % PAGE, value, store.size))
		return false;
	instruction->registers.rip += store.length;
	space_stored(task->space, address, store.size);
	return true;
}

/* Bytes that a string instruction moves from or to memory, of which pages may be closed. False when not all were. */
static bool move_bytes(struct task *task, uint64_t address, uint8_t *bytes, uint64_t size, bool is_read)
{
	while (size > 0) {
		unsigned at = address % PAGE, part = PAGE - at < size ? PAGE - at : size;
		const struct mapped *mapped = space_at(task->space, address);
		bool is_closed = mapped != NULL && mapped->is_closed;
		if (is_closed && (!mapped->is_shared || !(mapped->protection & (is_read ? PROT_READ : PROT_WRITE))))
			return false;
		bool is_moved = is_closed && is_read ? view_read(mapped->page, at, bytes, part)
				: is_closed                  ? view_write(mapped->page, at, bytes, part)
				: is_read                    ? tracee_read(task->tid, address, bytes, part) == part
											 : tracee_write(task->tid, address, bytes, part);
		if (!is_moved)
			return false;
		address += part;
		bytes += part;
		size -= part;
	}
	return true;
}

/* One that copies or fills; of a long one, the first part. */
static bool string(struct task *task, struct instruction *instruction)
{
	static uint8_t bytes[MOST_MOVED];
	struct user_regs_struct *registers = &instruction->registers;
	struct access access = instruction->access;
	if (!access.target || access.size == 0 || !decode_is_upwards(access, registers->eflags) ||
			!is_free(task, instruction))
		return false;
	uint64_t count = access.is_repeated ? registers->rcx : 1;
	if (count > MOST_MOVED / access.size)
		count = MOST_MOVED / access.size;
	uint64_t size = count * access.size, distance = registers->rdi - registers->rsi;
	if (size == 0 || (access.source && (distance < size || -distance < size)))
		return false;
	follow_access(task, registers, instruction->code);
	for (uint64_t at = 0; !access.source && at < size; at += access.size)
		memcpy(bytes + at, &registers->rax, access.size);
	if ((access.source && !move_bytes(task, registers->rsi, bytes, size, true)) ||
			!move_bytes(task, registers->rdi, bytes, size, false))
		return false;
	if (access.source)
		space_read(task->space, registers->rsi, size);
	space_stored(task->space, registers->rdi, size);
	registers->rdi += size;
	registers->rsi += access.source ? size : 0;
	registers->rcx -= access.is_repeated ? count : 0;
	if (!access.is_repeated || registers->rcx == 0)
		registers->rip += access.length;
	return true;
}

bool instead_trapped(struct task *task, const struct mapped *mapped, uint64_t address, struct instruction *instruction)
{
	return instead_load(task, mapped, address, instruction) || store(task, mapped, address, instruction) ||
			string(task, instruction);
}

static bool is_closed(const struct task *task, uint64_t address, unsigned size)
{
	return traps_is_closed(task->space, address, size);
}

static bool read_word(const struct task *task, const struct user_regs_struct *registers, uint64_t address,
		uint64_t *value, unsigned size)
{
	*value = 0;
	tracee_keep_stack(task, registers, address);
	return !is_closed(task, address, size) && tracee_read(task->tid, address, value, size) == size;
}

static bool write_bytes(const struct task *task, const struct user_regs_struct *registers, uint64_t address,
		const void *bytes, unsigned size)
{
	tracee_keep_stack(task, registers, address);
	return !is_closed(task, address, size) && tracee_write(task->tid, address, bytes, size);
}

/* PUSH, POP and LEAVE, CALL and RET; jumps to where memory or a register says. */
struct stack_move {
	bool is_push;
	bool is_pop;
	uint64_t address; /* of what is pushed or popped */
	bool is_control; /* it goes elsewhere: to the target, or where the popped word says */
	uint64_t target;
	unsigned number; /* else of the register */
	unsigned length;
};

static bool parse_push_or_pop(struct bytes *bytes, uint8_t opcode, struct stack_move *move)
{
	move->is_push = (opcode & 0xf8) == 0x50;
	move->is_pop = (opcode & 0xf8) == 0x58;
	move->number = (opcode & 7) | (bytes->rex & 1 ? 8 : 0);
	return !bytes->has_f2;
}

/* Where an indirect call or jump goes. False when the place that says it cannot be read. */
static bool parse_indirect(struct task *task, const struct user_regs_struct *registers, struct bytes *bytes,
		struct stack_move *move)
{
	struct operand operand;
	uint8_t modrm = bytes->code[bytes->at];
	unsigned operation = modrm >> 3 & 7;
	move->is_control = true;
	move->is_push = operation == 2;
	if (operation != 2 && operation != 4)
		return false;
	if (modrm >> 6 == 3) {
		bytes->at++;
		move->target = operand_value(registers, (modrm & 7) | (bytes->rex & 1 ? 8 : 0));
		return true;
	}
	if (!operand_at(bytes, registers, &operand))
		return false;
	uint64_t address = operand.address + (operand.is_relative ? registers->rip + bytes->at : 0);
	return read_word(task, registers, address, &move->target, sizeof move->target);
}

static bool parse_stack_move(struct task *task, const struct instruction *instruction, struct stack_move *move)
{
	const struct user_regs_struct *registers = &instruction->registers;
	struct bytes bytes = {.code = instruction->code};
	bool is_known;
	*move = (struct stack_move){0};
	operand_prefixes(&bytes);
	if (bytes.is_short || bytes.has_f3)
		return false;
	uint8_t opcode = bytes.code[bytes.at++];
	switch (opcode) {
	case 0x50 ... 0x5f: is_known = parse_push_or_pop(&bytes, opcode, move); break;
	case 0xc9:
		move->is_pop = true;
		move->number = RBP;
		is_known = !bytes.has_f2;
		break;
	case 0xc3: is_known = move->is_pop = move->is_control = true; break;
	case 0xe8: {
		uint64_t distance = (uint64_t)operand_number(&bytes, 4);
		move->target = registers->rip + bytes.at + distance;
		is_known = move->is_push = move->is_control = true;
		break;
	}
	case 0xff: is_known = parse_indirect(task, registers, &bytes, move); break;
	default: return false;
	}
	move->address = opcode == 0xc9 ? registers->rbp : registers->rsp - (move->is_push ? 8 : 0);
	move->length = bytes.at;
	return is_known && (!move->is_push || !is_closed(task, move->address, 8)) &&
			(!(move->is_control && (move->is_push || move->is_pop)) || !tracee_has_shadow_stack(task));
}

static bool pop_or_jump(struct task *task, struct instruction *instruction)
{
	struct stack_move move;
	if (!parse_stack_move(task, instruction, &move) || move.is_push)
		return false;
	uint64_t value = move.target;
	if (move.is_pop && !read_word(task, &instruction->registers, move.address, &value, sizeof value))
		return false;
	if (move.is_pop)
		instruction->registers.rsp = move.address + sizeof value;
	instruction->registers.rip = move.is_control ? value : instruction->registers.rip + move.length;
	if (!move.is_control)
		*operand_general(&instruction->registers, move.number) = value; /* perhaps RSP */
	return true;
}

static bool push(struct task *task, struct instruction *instruction, const struct stack_move *move)
{
	struct user_regs_struct *registers = &instruction->registers;
	uint64_t end = registers->rip + move->length;
	uint64_t value = move->is_control ? end : operand_value(registers, move->number);
	if (!write_bytes(task, registers, move->address, &value, sizeof value))
		return false;
	registers->rsp = move->address;
	registers->rip = move->is_control ? move->target : end;
	return true;
}

bool instead_compute(const struct task *task, struct instruction *instruction)
{
	return is_free(task, instruction) && interpret(instruction->code, &instruction->registers);
}

bool instead_read(struct task *task, struct instruction *instruction)
{
	struct load load;
	uint64_t value = 0;
	if (!is_free(task, instruction))
		return false;
	if (!emulate_parse(instruction->code, &instruction->registers, &load))
		return instead_compute(task, instruction) || pop_or_jump(task, instruction);
	return !load.is_vector && load.size > 0 &&
			read_word(task, &instruction->registers, load.address, &value, load.size) &&
			emulate(&load, value, &instruction->registers);
}

static bool parse_store(const struct task *task, const struct instruction *instruction, struct store *store)
{
	return is_free(task, instruction) && stores_parse(instruction->code, &instruction->registers, store) &&
			!is_closed(task, store->address, store->size) && !(store->is_aligned && store->address % store->size != 0);
}

bool instead_can_store(struct task *task, const struct instruction *instruction)
{
	struct store store;
	struct stack_move move;
	return parse_store(task, instruction, &store) ||
			(is_free(task, instruction) && parse_stack_move(task, instruction, &move) && move.is_push);
}

bool instead_store(struct task *task, struct instruction *instruction)
{
	struct store store;
	struct stack_move move;
	uint8_t value[LARGEST_STORE];
	if (!is_free(task, instruction))
		return false;
	if (parse_stack_move(task, instruction, &move) && move.is_push)
		return push(task, instruction, &move);
	if (!parse_store(task, instruction, &store) || !stores_value(task->tid, &store, &instruction->registers, value) ||
			!write_bytes(task, &instruction->registers, store.address, value, store.size))
		return false;
	instruction->registers.rip += store.length;
	return true;
}
