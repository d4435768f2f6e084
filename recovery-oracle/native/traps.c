/* SPDX-License-Identifier: Apache-2.0 */
#include "traps.h"

#include "ahead.h"
#include "decode.h"
#include "emulate.h"
#include "follow.h"
#include "instead.h"
#include "stores.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>

/* Without breakpoints, what a longer string instruction accesses counts as read: each element would take a step. */
#define MOST_ELEMENTS 65536

enum {
	/* What is executed behind a trap in vain, in instructions of registers; a stop is as dear as some 80 of them. */
	MOST_COST = 48,
	COST_OF_MEMORY = 10,
	MOST_WORTH = 8,
	TRIED = 32
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

/* A string instruction that copies or fills: all of its elements at once. */
static void account_string(struct task *task, struct access access, const struct user_regs_struct *registers)
{
	uint64_t size = access.size * (access.is_repeated ? registers->rcx : 1);
	if (access.source)
		space_read(task->space, registers->rsi, size);
	if (access.target) {
		task->stores.address = registers->rdi;
		task->stores.size = size > UINT32_MAX ? 0 : size;
	}
}

/* Notes what the instruction does. */
static void account(struct task *task, struct mapped *mapped, uint64_t address, const struct instruction *instruction)
{
	const struct user_regs_struct *registers = &instruction->registers;
	struct access access = instruction->access;
	if (decode_is_upwards(access, registers->eflags)) {
		account_string(task, access, registers);
		task->end = access.is_repeated ? registers->rip + access.length : 0;
	} else if (access.source || access.target || (access.reads && access.size < PAGE))
		space_read(task->space, address, access.size);
	else if (access.reads)
		lines_read(mapped->page, 0, PAGE);
	else if (access.writes) {
		task->stores.address = address;
		task->stores.size = access.size;
	}
}

static bool look_at(struct task *task, struct instruction *instruction)
{
	uint64_t address = instruction->registers.rip;
	memset(instruction->code, 0, sizeof instruction->code);
	if (!ahead_code(task, address, instruction->code, LONGEST_INSTRUCTION) &&
			tracee_read(task->tid, address, instruction->code, LONGEST_INSTRUCTION) == 0)
		return false;
	instruction->access = decode(instruction->code);
	return true;
}

/* The closed page that the next instruction accesses, so that it would trap; NULL = it may not. */
static struct mapped *would_trap(struct task *task, const struct instruction *instruction, uint64_t *address)
{
	struct load load;
	struct store store;
	if (emulate_parse(instruction->code, &instruction->registers, &load))
		*address = load.address;
	else if (stores_parse(instruction->code, &instruction->registers, &store))
		*address = store.address;
	else
		return NULL;
	struct mapped *mapped = space_at(task->space, *address);
	return mapped != NULL && mapped->is_closed ? mapped : NULL;
}

/* Executes an instruction that would trap. False when it has to. */
static bool execute_trapping(struct task *task, struct instruction *instruction)
{
	uint64_t address;
	struct mapped *mapped = would_trap(task, instruction, &address);
	return mapped != NULL && !lines_is_open(mapped->page) && !lines_is_busy(mapped->page) &&
			instead_trapped(task, mapped, address, instruction);
}

/* As long as registers hold something that is followed. */
static enum trap follow_from(struct task *task, struct instruction *instruction, bool *is_changed)
{
	while (follow_is_on(task)) {
		bool is_seen = look_at(task, instruction);
		enum trap trap = follow_next(task, is_seen ? instruction : NULL);
		if (trap == LOADS && !execute_trapping(task, instruction))
			trap = STEP;
		if (trap != EXECUTED && trap != LOADS)
			return trap;
		*is_changed = true;
	}
	return GO_ON;
}

/* Whether it was worth it to execute what comes behind an instruction that trapped. */
static int8_t *worth_behind(uint64_t address)
{
	static int8_t all[1 << 10];
	return &all[address * 0x9e3779b97f4a7c15ULL >> 54];
}

/*
 * What traps mostly does so again soon, as in loops over a page: instructions up to there are executed, too, as long as
 * that costs less than a stop. Where it was in vain it is tried rarely.
 */
static void execute_behind(struct task *task, struct instruction *instruction, uint64_t trapped)
{
	static unsigned tries;
	int8_t *worth = worth_behind(trapped);
	if (*worth < 0 && ++tries % TRIED != 0)
		return;
	for (unsigned cost = 0; cost < MOST_COST && !follow_is_on(task) && look_at(task, instruction);) {
		uint64_t address;
		if (would_trap(task, instruction, &address) != NULL) {
			*worth = *worth < MOST_WORTH ? *worth + 1 : MOST_WORTH;
			if (!execute_trapping(task, instruction))
				return;
			cost = 0;
			continue;
		}
		if (instead_compute(task, instruction))
			cost++;
		else if (instead_read(task, instruction) || instead_store(task, instruction))
			cost += COST_OF_MEMORY;
		else
			break;
	}
	*worth = *worth > -MOST_WORTH ? *worth - 1 : -MOST_WORTH;
}

/*
 * Executes what it can in the place of the program, and has it go on from there.
 *
 * trapped: the address of an instruction that trapped; 0 = none
 */
static enum trap go_on_from(struct task *task, struct instruction *instruction, uint64_t trapped, bool is_changed)
{
	enum trap trap = follow_from(task, instruction, &is_changed);
	if (trap == GO_ON && trapped != 0) {
		uint64_t before = instruction->registers.rip;
		execute_behind(task, instruction, trapped);
		is_changed |= before != instruction->registers.rip;
		trap = follow_from(task, instruction, &is_changed);
	}
	if (trap == STEP)
		ahead_pass(task, instruction->registers.rip);
	if (!(is_changed ? tracee_set_registers(task, &instruction->registers) : tracee_write_kept()))
		follow_end(task); /* it is gone */
	return trap;
}

enum trap traps_next(struct task *task)
{
	struct instruction instruction;
	bool is_changed;
	if (!follow_is_on(task))
		return GO_ON;
	if (!tracee_registers(task->tid, &instruction.registers)) {
		follow_end(task);
		return GO_ON;
	}
	is_changed = !task->is_stepping && ahead_stopped(&instruction.registers);
	return go_on_from(task, &instruction, 0, is_changed);
}

/* Where signals are sent, one may look like a trap. */
static bool is_asked;

void traps_ask(void)
{
	is_asked = true;
}

/* What the thread accessed when it trapped. */
static bool accessed(struct task *task, const struct instruction *instruction, bool is_seen, uint64_t *address)
{
	siginfo_t info;
	if (!is_asked && is_seen && would_trap(task, instruction, address) != NULL)
		return true;
	if (ptrace(PTRACE_GETSIGINFO, task->tid, NULL, &info) != 0 || info.si_code != SEGV_ACCERR)
		return false;
	*address = (uint64_t)info.si_addr;
	return true;
}

enum trap traps_fault(struct task *task)
{
	struct instruction instruction;
	uint64_t address;
	bool is_seen = tracee_registers(task->tid, &instruction.registers) && look_at(task, &instruction);
	if (!accessed(task, &instruction, is_seen, &address))
		return NOT_OURS;
	struct mapped *mapped = space_at(task->space, address);
	if (mapped == NULL || !mapped->is_closed)
		return NOT_OURS;
	follow_arrive(task, is_seen ? &instruction.registers : NULL);
	task->end = 0;
	task->stores.size = 0;
	/* Another thread could read while the page is open for this one. */
	if (!is_seen || task->space->tasks > 1 || lines_is_busy(mapped->page) || task->opened_count == MOST_OPENED)
		lines_all_read(mapped->page);
	else if (!lines_is_open(mapped->page)) {
		uint64_t trapped = instruction.registers.rip;
		if (instead_trapped(task, mapped, address, &instruction))
			return go_on_from(task, &instruction, trapped, true);
	}
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
		space_stored(task->space, task->stores.address, task->stores.size);
	close_again(task);
	return GO_ON;
}

void traps_abandon(struct task *task)
{
	close_again(task);
}
