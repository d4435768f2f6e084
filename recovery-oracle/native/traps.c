/* SPDX-License-Identifier: Apache-2.0 */
#include "traps.h"

#include "ahead.h"
#include "decode.h"
#include "emulate.h"
#include "follow.h"
#include "stores.h"
#include "view.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>

#define DIRECTION_FLAG 0x400

#define TRAP_FLAG 0x100
#define RESUME_FLAG 0x10000

/* Without breakpoints, what a longer string instruction accesses counts as read: each element would take a step. */
#define MOST_ELEMENTS 65536

/* Bytes of a string that are moved at once. */
#define MOST_MOVED 65536

struct instruction {
	struct user_regs_struct registers; /* afterwards, when it was executed in the program's place */
	uint8_t code[LONGEST_INSTRUCTION];
	struct access access;
};

static bool is_accessible(const struct mapped *mapped)
{
	return mapped->protection & (PROT_READ | PROT_WRITE | PROT_EXEC);
}

static bool is_wanted(const struct mapped *mapped)
{
	return !lines_is_open(mapped->page) && is_accessible(mapped);
}

/* In one call for each row of pages. */
void traps_close(struct task *task, uint64_t address, uint64_t size)
{
	struct space *space = task->space;
	struct mapped *end = space->mapped + space->count, *first = space_from(space, address);
	while (first < end && first->address < address + size) {
		struct mapped *last = first;
		if (!is_wanted(first)) {
			first++;
			continue;
		}
		while (last + 1 < end && last[1].address == last->address + PAGE && last[1].address < address + size &&
				is_wanted(last + 1))
			last++;
		bool worked = tracee_protect(task, first->address, last->address + PAGE - first->address, PROT_NONE);
		for (; first <= last; first++) {
			first->is_closed = worked;
			if (!worked)
				lines_all_read(first->page);
		}
	}
}

static void open_page(struct task *task, struct mapped *mapped)
{
	if (!mapped->is_closed)
		return;
	mapped->is_closed = false;
	if (!tracee_protect(task, mapped->address, PAGE, mapped->protection))
		lines_give_up("a page could not be opened again");
}

void traps_open(struct task *task, uint64_t address, uint64_t size)
{
	struct space *space = task->space;
	for (struct mapped *one = space_from(space, address); one < space->mapped + space->count; one++) {
		if (one->address >= address + size)
			return;
		lines_all_read(one->page);
		open_page(task, one);
	}
}

bool traps_is_closed(const struct space *space, uint64_t address, uint64_t size)
{
	for (struct mapped *one = space_from(space, address); one < space->mapped + space->count; one++) {
		if (one->address >= address + size)
			return false;
		if (one->is_closed)
			return true;
	}
	return false;
}

/* Bytes that are read wherever they are mapped. */
static void read_range(struct space *space, uint64_t address, uint64_t size)
{
	for (struct mapped *one = space_from(space, address); one < space->mapped + space->count; one++) {
		if (one->address >= address + size)
			return;
		uint64_t from = address > one->address ? address - one->address : 0;
		uint64_t end = address + size - one->address < PAGE ? address + size - one->address : PAGE;
		lines_read(one->page, from, end - from);
	}
}

static void stored_range(struct space *space, uint64_t address, uint64_t size)
{
	for (struct mapped *one = space_from(space, address); one < space->mapped + space->count; one++) {
		if (one->address >= address + size)
			return;
		uint64_t from = address > one->address ? address - one->address : 0;
		uint64_t end = address + size - one->address < PAGE ? address + size - one->address : PAGE;
		if (one->is_shared)
			lines_stored(one->page, from, end - from);
	}
}

/* A string instruction that copies or fills: all of its elements at once. */
static void account_string(struct task *task, struct access access, const struct user_regs_struct *registers)
{
	uint64_t size = access.size * (access.is_repeated ? registers->rcx : 1);
	if (access.source)
		read_range(task->space, registers->rsi, size);
	if (access.target) {
		task->stores.address = registers->rdi;
		task->stores.size = size > UINT32_MAX ? 0 : size;
	}
}

static bool is_string_to_account(struct access access, const struct user_regs_struct *registers)
{
	return (access.source || access.target) && !access.target_is_read && !(registers->eflags & DIRECTION_FLAG);
}

/* Notes what the instruction does. */
static void account(struct task *task, struct mapped *mapped, uint64_t address, const struct instruction *instruction)
{
	const struct user_regs_struct *registers = &instruction->registers;
	struct access access = instruction->access;
	if (is_string_to_account(access, registers)) {
		account_string(task, access, registers);
		task->end = access.is_repeated ? registers->rip + access.length : 0;
	} else if (access.source || access.target || (access.reads && access.size < PAGE))
		read_range(task->space, address, access.size);
	else if (access.reads)
		lines_read(mapped->page, 0, PAGE);
	else if (access.writes) {
		task->stores.address = address;
		task->stores.size = access.size;
	}
}

static bool look_at(struct task *task, struct instruction *instruction)
{
	memset(instruction->code, 0, sizeof instruction->code);
	if (!tracee_registers(task->tid, &instruction->registers))
		return false;
	uint64_t address = instruction->registers.rip;
	if (!ahead_code(task, address, instruction->code, LONGEST_INSTRUCTION) &&
			tracee_read(task->tid, address, instruction->code, LONGEST_INSTRUCTION) == 0)
		return false;
	instruction->access = decode(instruction->code);
	return true;
}

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

static bool set_registers(struct task *task, struct user_regs_struct *registers)
{
	registers->eflags &= ~(uint64_t)RESUME_FLAG;
	return ptrace(PTRACE_SETREGS, task->tid, NULL, registers) == 0;
}

/*
 * Executes a simple load in the program's place: one stop, where opening and closing the page takes four. What it reads
 * is noted only if it cannot be followed.
 */
static bool load_for(struct task *task, const struct mapped *mapped, uint64_t address, struct instruction *instruction)
{
	struct load load;
	struct value value;
	struct user_regs_struct before = instruction->registers;
	if (!is_free(task, instruction) || !(mapped->protection & PROT_READ) ||
			!emulate_parse(instruction->code, &instruction->registers, &load) || load.address != address ||
			address % PAGE + load.size > PAGE || (load.is_aligned && address % 16 != 0) ||
			!peek(task->tid, mapped, address, load.size, &value) ||
			!emulate(&load, value.low, &instruction->registers))
		return false;
	if (load.is_vector) {
		struct user_fpregs_struct vectors;
		if (ptrace(PTRACE_GETFPREGS, task->tid, NULL, &vectors) != 0)
			return false;
		emulate_vector(&load, value, &vectors);
		if (ptrace(PTRACE_SETFPREGS, task->tid, NULL, &vectors) != 0)
			return false;
	}
	if (!set_registers(task, &instruction->registers))
		return false;
	if (!mapped->is_shared || !follow_load(task, mapped->page, &load, value.low, &before)) {
		follow_end(task);
		if (load.size > 0)
			read_range(task->space, address, load.size);
	}
	return true;
}

/* The same of a store. */
static bool store_for(struct task *task, const struct mapped *mapped, uint64_t address, struct instruction *instruction)
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
	stored_range(task->space, address, store.size);
	return set_registers(task, &instruction->registers);
}

/* Bytes that a string instruction moves from or to memory, of which pages may be closed. False when not all were. */
static bool move(struct task *task, uint64_t address, uint8_t *bytes, uint64_t size, bool is_read)
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

/* The same of a string instruction that copies or fills; of a long one, of its first part. */
static bool string_for(struct task *task, struct instruction *instruction)
{
	static uint8_t bytes[MOST_MOVED];
	struct user_regs_struct *registers = &instruction->registers;
	struct access access = instruction->access;
	if (!access.target || access.size == 0 || !is_string_to_account(access, registers) || !is_free(task, instruction))
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
	if ((access.source && !move(task, registers->rsi, bytes, size, true)) ||
			!move(task, registers->rdi, bytes, size, false))
		return false;
	if (access.source)
		read_range(task->space, registers->rsi, size);
	stored_range(task->space, registers->rdi, size);
	registers->rdi += size;
	registers->rsi += access.source ? size : 0;
	registers->rcx -= access.is_repeated ? count : 0;
	if (!access.is_repeated || registers->rcx == 0)
		registers->rip += access.length;
	return set_registers(task, registers);
}

enum trap traps_fault(struct task *task)
{
	siginfo_t info;
	if (ptrace(PTRACE_GETSIGINFO, task->tid, NULL, &info) != 0 || info.si_code != SEGV_ACCERR)
		return NOT_OURS;
	uint64_t address = (uint64_t)info.si_addr;
	struct mapped *mapped = space_at(task->space, address);
	if (mapped == NULL || !mapped->is_closed)
		return NOT_OURS;
	struct instruction instruction;
	bool is_seen = look_at(task, &instruction);
	follow_arrive(task, is_seen ? &instruction.registers : NULL);
	task->end = 0;
	task->stores.size = 0;
	/* Another thread could read while the page is open for this one. */
	if (!is_seen || task->space->tasks > 1 || lines_is_busy(mapped->page) || task->opened_count == MOST_OPENED)
		lines_all_read(mapped->page);
	else if (!lines_is_open(mapped->page) &&
			(load_for(task, mapped, address, &instruction) || store_for(task, mapped, address, &instruction) ||
					string_for(task, &instruction)))
		return follow_next(task, &instruction.registers);
	follow_access(task, &instruction.registers, instruction.code);
	if (is_seen)
		account(task, mapped, address, &instruction);
	open_page(task, mapped);
	if (lines_is_open(mapped->page) && task->opened_count == 0)
		return follow_is_on(task) ? STEP : GO_ON;
	if (task->opened_count < MOST_OPENED)
		task->opened[task->opened_count++] = mapped->address;
	if (task->end != 0 && tracee_break(task, task->end))
		return TO_BREAKPOINT;
	if (task->end == 0 || instruction.registers.rcx <= MOST_ELEMENTS)
		return STEP;
	for (unsigned i = 0; i < task->opened_count; i++)
		lines_all_read(space_at(task->space, task->opened[i])->page);
	traps_abandon(task);
	return follow_is_on(task) ? STEP : GO_ON;
}

static void close_again(struct task *task)
{
	unsigned count = task->opened_count;
	task->opened_count = 0;
	tracee_break(task, 0);
	for (unsigned i = 0; i < count; i++)
		traps_close(task, task->opened[i], 1);
}

enum trap traps_stepped(struct task *task)
{
	struct user_regs_struct registers;
	if (!tracee_registers(task->tid, &registers))
		return GO_ON;
	/* Without a breakpoint it takes a step for each element. */
	if (task->end != 0 && registers.rip != task->end)
		return STEP;
	if (task->stores.size > 0)
		stored_range(task->space, task->stores.address, task->stores.size);
	close_again(task);
	return GO_ON;
}

void traps_abandon(struct task *task)
{
	close_again(task);
}
