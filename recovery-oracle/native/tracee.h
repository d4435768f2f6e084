/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of the command: their registers, and system calls that they are made to execute. */
#ifndef READS_TRACEE_H
#define READS_TRACEE_H

#include "space.h"

#include <stdbool.h>
#include <sys/types.h>
#include <sys/user.h>

/* The filters let calls with this mark pass: an argument that the program's own do not have. */
#define OUR_CALL 0x706f776572637574ULL

enum { MOST_OPENED = 64 };

struct follow_flags {
	unsigned kind;
	enum node_kind operation;
	unsigned size;
	uint32_t left; /* a node */
	uint32_t right;
};

/* What was computed from watched bytes and is in registers (follow.h). */
struct follow {
	bool is_on;
	bool is_free; /* it runs up to breakpoints, and does not look at these registers before */
	bool is_foreseen; /* what the next instruction does is in here already */
	uint32_t nodes[16]; /* of general registers; 0 = none */
	struct follow_flags flags;
	unsigned activity; /* when a register got one last */
	struct user_regs_struct before; /* the instruction that is looked at */
};

struct task {
	pid_t tid;
	struct space *space; /* NULL = it stopped before its parent reported it */
	/* The system call whose end is awaited; -1 = none. */
	long call;
	struct user_regs_struct entry;
	/* The pages that are open for one instruction. */
	uint64_t opened[MOST_OPENED];
	unsigned opened_count;
	/* Where a repeated instruction ends whose elements are all accounted for; 0 = it is another one. */
	uint64_t end;
	bool has_breakpoint;
	bool is_stepping; /* it was to execute one instruction */
	enum { NOT_ASKED, ABSENT, PRESENT } shadow_stack;
	struct { /* what that instruction stores */
		uint64_t address;
		unsigned size;
	} stores;
	struct follow follow;
	/* It ended while it was made to do something. */
	bool is_over;
	int status;
	struct task *next;
};

/* How a thread that stopped goes on, if it was for our sake. */
enum trap {
	NOT_OURS,
	STEP,
	TO_BREAKPOINT,
	GO_ON,
	/* Not at all yet: an instruction was executed in its place, */
	EXECUTED,
	/* or the next one would trap. */
	LOADS
};

extern struct task *tasks;

struct task *task_new(pid_t tid, struct space *space);
struct task *task_of(pid_t tid);
void task_delete(struct task *task);

/* False when the thread is gone. */
bool tracee_registers(pid_t tid, struct user_regs_struct *registers);
/* What is written to memory and kept back is written then. */
bool tracee_set_registers(const struct task *task, const struct user_regs_struct *registers);
/* Whether return addresses are also kept where only the processor writes. */
bool tracee_has_shadow_stack(struct task *task);
/*
 * A thread's stack, which nobody else uses as long as it is stopped: if the address is near its end, what is there is
 * read at once, and what is written there is kept back until its registers are set, or it is written at last.
 */
void tracee_keep_stack(const struct task *task, const struct user_regs_struct *registers, uint64_t address);
bool tracee_write_kept(void);
/* Bytes that could be read, whatever the protection. */
size_t tracee_read(pid_t tid, uint64_t address, void *to, size_t size);
/* Stops the thread before it executes that instruction; 0 = no longer. False when that is not possible. */
bool tracee_break(struct task *task, uint64_t address);
/* False when not all of them could be written. */
bool tracee_write(pid_t tid, uint64_t address, const void *from, size_t size);
/* Has the stopped thread make a system call. False when it is gone or the call failed. */
bool tracee_call(struct task *task, long call, const uint64_t arguments[6], uint64_t *result);
/* Has the stopped thread call mprotect. False when it is gone or the call failed. */
bool tracee_protect(struct task *task, uint64_t address, uint64_t size, int protection);

#endif
