/* SPDX-License-Identifier: Apache-2.0 */
#include "tracee.h"

#include "ahead.h"

#include <err.h>
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define RESUME_FLAG 0x10000
#ifndef NT_X86_SHSTK
#define NT_X86_SHSTK 0x204
#endif

/* Bytes of a stack, and of these those below its end. */
enum { MOST_KEPT = 8192, KEPT_BELOW = 2048 };

struct task *tasks;

struct task *task_new(pid_t tid, struct space *space)
{
	struct task *task = calloc(1, sizeof *task);
	if (task == NULL)
		errx(2, "no memory");
	task->tid = tid;
	task->space = space;
	task->call = -1;
	task->next = tasks;
	tasks = task;
	return task;
}

struct task *task_of(pid_t tid)
{
	for (struct task *task = tasks; task != NULL; task = task->next)
		if (task->tid == tid)
			return task;
	return NULL;
}

void task_delete(struct task *task)
{
	struct task **link = &tasks;
	while (*link != task)
		link = &(*link)->next;
	*link = task->next;
	if (task->space != NULL)
		space_leave(task->space);
	free(task);
}

bool tracee_registers(pid_t tid, struct user_regs_struct *registers)
{
	return ptrace(PTRACE_GETREGS, tid, NULL, registers) == 0;
}

bool tracee_has_shadow_stack(struct task *task)
{
	uint64_t pointer = 0;
	struct iovec one = {.iov_base = &pointer, .iov_len = sizeof pointer};
	if (task->shadow_stack == NOT_ASKED)
		task->shadow_stack =
				ptrace(PTRACE_GETREGSET, task->tid, NT_X86_SHSTK, &one) == 0 && pointer != 0 ? PRESENT : ABSENT;
	return task->shadow_stack == PRESENT;
}

static size_t read_memory(pid_t tid, uint64_t address, void *to, size_t size)
{
	struct iovec local = {.iov_base = to, .iov_len = size};
	struct iovec remote = {.iov_base = (void *)address, .iov_len = size};
	ssize_t got = process_vm_readv(tid, &local, 1, &remote, 1, 0);
	return got < 0 ? 0 : got;
}

static bool write_memory(pid_t tid, uint64_t address, const void *from, size_t size)
{
	struct iovec local = {.iov_base = (void *)from, .iov_len = size};
	struct iovec remote = {.iov_base = (void *)address, .iov_len = size};
	return process_vm_writev(tid, &local, 1, &remote, 1, 0) == (ssize_t)size;
}

/* Of the stack. */
static struct {
	pid_t tid; /* 0 = none */
	uint64_t address;
	uint8_t bytes[MOST_KEPT];
	size_t size;
	size_t written; /* from there on, */
	size_t end; /* up to there */
} kept;

bool tracee_write_kept(void)
{
	bool worked = kept.tid == 0 || kept.written >= kept.end ||
			write_memory(kept.tid, kept.address + kept.written, kept.bytes + kept.written, kept.end - kept.written);
	kept.tid = 0;
	return worked;
}

void tracee_keep_stack(const struct task *task, const struct user_regs_struct *registers, uint64_t address)
{
	uint64_t from = registers->rsp - KEPT_BELOW, size = MOST_KEPT - (from + MOST_KEPT) % PAGE;
	if (kept.tid == task->tid || task->space->tasks > 1 || address - from >= size)
		return;
	tracee_write_kept();
	kept.size = read_memory(task->tid, from, kept.bytes, size);
	kept.address = from;
	kept.written = MOST_KEPT;
	kept.end = 0;
	kept.tid = kept.size > KEPT_BELOW ? task->tid : 0;
}

/* Where such bytes are kept; NULL = elsewhere. What is kept in part only is not kept any more. */
static uint8_t *find_kept(pid_t tid, uint64_t address, size_t size)
{
	if (kept.tid != tid || address + size <= kept.address || address >= kept.address + kept.size)
		return NULL;
	if (address >= kept.address && address + size <= kept.address + kept.size)
		return kept.bytes + (address - kept.address);
	tracee_write_kept();
	return NULL;
}

size_t tracee_read(pid_t tid, uint64_t address, void *to, size_t size)
{
	const uint8_t *here = find_kept(tid, address, size);
	if (here == NULL)
		return read_memory(tid, address, to, size);
	memcpy(to, here, size);
	return size;
}

bool tracee_set_registers(const struct task *task, const struct user_regs_struct *registers)
{
	struct user_regs_struct now = *registers;
	now.eflags &= ~(uint64_t)RESUME_FLAG;
	return tracee_write_kept() && ptrace(PTRACE_SETREGS, task->tid, NULL, &now) == 0;
}

/* Executes the instruction at which the thread is. Signals that come in between are sent again. */
static bool step(struct task *task)
{
	int later[8];
	unsigned count = 0;
	for (;;) {
		int status;
		if (ptrace(PTRACE_SINGLESTEP, task->tid, NULL, 0) != 0)
			return false;
		while (waitpid(task->tid, &status, __WALL) < 0)
			if (errno != EINTR)
				return false;
		if (!WIFSTOPPED(status)) {
			task->is_over = true;
			task->status = status;
			return false;
		}
		int signal = WSTOPSIG(status);
		if (status >> 16 == 0 && signal == SIGTRAP)
			break;
		if (status >> 16 == 0 && count < sizeof later / sizeof *later)
			later[count++] = signal;
	}
	for (unsigned i = 0; i < count; i++)
		syscall(SYS_tkill, task->tid, later[i]);
	return true;
}

static void pass_by(void)
{
	__asm__ volatile("");
}

/* Stops a child at a breakpoint. Some hypervisors accept breakpoints, and then never stop there. */
static bool stops_at_breakpoint(void)
{
	int status;
	pid_t child = fork();
	if (child == 0) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0 && raise(SIGSTOP) == 0)
			((void (*volatile)(void))pass_by)();
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
		return false;
	bool stops = ptrace(PTRACE_POKEUSER, child, (void *)offsetof(struct user, u_debugreg[0]), (void *)pass_by) == 0 &&
			ptrace(PTRACE_POKEUSER, child, (void *)offsetof(struct user, u_debugreg[7]), 1L) == 0 &&
			ptrace(PTRACE_CONT, child, NULL, 0) == 0 && waitpid(child, &status, 0) == child && WIFSTOPPED(status) &&
			WSTOPSIG(status) == SIGTRAP;
	kill(child, SIGKILL);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	return stops;
}

static bool breakpoints_work(void)
{
	static bool is_known, work;
	if (!is_known)
		work = stops_at_breakpoint();
	is_known = true;
	return work;
}

bool tracee_break(struct task *task, uint64_t address)
{
	if (address == 0 && !task->has_breakpoint)
		return true;
	if (!breakpoints_work())
		return false;
	void *number = (void *)offsetof(struct user, u_debugreg[0]),
		 *control = (void *)offsetof(struct user, u_debugreg[7]);
	task->has_breakpoint = address != 0 && ptrace(PTRACE_POKEUSER, task->tid, number, address) == 0;
	return ptrace(PTRACE_POKEUSER, task->tid, control, task->has_breakpoint ? 1L : 0L) == 0 && task->has_breakpoint;
}

bool tracee_write(pid_t tid, uint64_t address, const void *from, size_t size)
{
	uint8_t *here = find_kept(tid, address, size);
	if (here == NULL)
		return write_memory(tid, address, from, size);
	memcpy(here, from, size);
	size_t at = here - kept.bytes;
	kept.written = at < kept.written ? at : kept.written;
	kept.end = at + size > kept.end ? at + size : kept.end;
	return true;
}

bool tracee_call(struct task *task, long number, const uint64_t arguments[6], uint64_t *result)
{
	struct user_regs_struct saved, call;
	if (task->space->system_call == 0 || !tracee_registers(task->tid, &saved))
		return false;
	ahead_pass(task, task->space->system_call);
	call = saved;
	call.rip = task->space->system_call;
	call.orig_rax = -1;
	call.rax = number;
	call.rdi = arguments[0];
	call.rsi = arguments[1];
	call.rdx = arguments[2];
	call.r10 = arguments[3];
	call.r8 = arguments[4];
	call.r9 = arguments[5];
	if (ptrace(PTRACE_SETREGS, task->tid, NULL, &call) != 0 || !step(task))
		return false;
	bool worked = tracee_registers(task->tid, &call) && ((int64_t)call.rax >= 0 || (int64_t)call.rax < -4095);
	*result = call.rax;
	return ptrace(PTRACE_SETREGS, task->tid, NULL, &saved) == 0 && worked;
}

bool tracee_protect(struct task *task, uint64_t address, uint64_t size, int protection)
{
	uint64_t result;
	const uint64_t arguments[6] = {address, size, protection, 0, 0, OUR_CALL};
	return tracee_call(task, SYS_mprotect, arguments, &result) && result == 0;
}
