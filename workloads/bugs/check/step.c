/*
 * Runs a program one instruction at a time (ptrace) and writes down what it does to the files of a directory: every
 * change of their contents, and every flush, fence and syncing system call, each with its call stack. It shares nothing
 * with Powercut's recorder, so that the suite's ground truth can be checked by other means.
 *
 *   step FUNCTION-OFFSET PMDIR STARTDIR LOG PROGRAM ARGUMENTS...
 *
 * Stepping begins at the function at that link-time offset, where the files are copied to STARTDIR, and ends when it
 * returns. LOG has one line an event:
 *   base ADDRESS                              where the program lies in memory, first line
 *   store TASK FILE OFFSET KIND HEX | STACK   KIND: cached, nt, kernel; the bytes stored, where the instruction is one that
 *                                             stored_bytes() knows, else the words that changed; cut at cache lines; a + behind
 *                                             KIND: the same instruction as the line before
 *   flush TASK FILE OFFSET KIND | STACK       KIND: clflush, clflushopt, clwb; before the instruction runs; FILE is - for
 *                                             volatile memory
 *   fence TASK KIND | STACK                   KIND: sfence, mfence, locked
 *   sync TASK FILE OFFSET LENGTH | STACK      msync, fsync, fdatasync; FILE is - for a descriptor, LENGTH 0 up to the end
 *   vain TASK FILE OFFSET LENGTH | STACK      msync with an address inside a page, which fails
 *   hint TASK FILE OFFSET LENGTH | STACK      msync with MS_ASYNC, which waits for nothing
 *   size TASK FILE LENGTH | STACK             the file was made shorter, or longer again up to its first length
 * STACK: addresses innermost first. Callers are given by return address - 1.
 *
 * Files above 64 KiB are compared at flushes, fences and system calls only, or it would take too long: the images there
 * are exact, but the stores between them are merged.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum kind { UNKNOWN, PLAIN, CLFLUSH, CLFLUSHOPT, CLWB, SFENCE, MFENCE, LOCKED, NON_TEMPORAL, SYSTEM_CALL };
static const char *const kind_names[] = {"", "", "clflush", "clflushopt", "clwb", "sfence", "mfence", "locked", "nt",
		"kernel"};

#define MAX_FILES 8
#define MAX_TASKS 64
#define MAX_DEPTH 256
#define MAX_MAPPINGS 32
#define EAGER_LIMIT (64 * 1024)
#define QUANTUM 100 /* instructions a task runs before the next one's turn */

static struct file {
	const char *name;
	int descriptor;
	size_t mapped; /* its size when stepping began */
	size_t size;
	const unsigned char *now; /* the file itself, mapped */
	unsigned char *before; /* as it was when last compared */
} files[MAX_FILES];
static int file_count;
static int eager = 1;

static struct mapping {
	uint64_t start, end, offset;
	int file;
} mappings[MAX_MAPPINGS];
static int mapping_count;

static struct task {
	pid_t pid;
	enum { RUNNABLE, BLOCKED, DEAD } state;
	struct user_regs_struct regs; /* those of a RUNNABLE task, unless `fresh` is 0 */
	int fresh;
	int signal; /* to be handed on with the next step */
	int depth;
	struct call {
		uint64_t sp, return_address;
	} calls[MAX_DEPTH];
} tasks[MAX_TASKS];
static int task_count;

static FILE *output;

static void fail(const char *what)
{
	fprintf(stderr, "step: %s: %s\n", what, strerror(errno));
	exit(2);
}

/* ---- the PM files ---- */

static void copy_file(const struct file *file, const char *directory)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", directory, file->name);
	FILE *copy = fopen(path, "w");
	if (copy == NULL || fwrite(file->before, file->size, 1, copy) != 1 || fclose(copy) != 0)
		fail(path);
}

static void open_files(const char *directory, const char *copies)
{
	char pattern[4096];
	snprintf(pattern, sizeof pattern, "%s/*", directory);
	glob_t found;
	if (glob(pattern, 0, NULL, &found) != 0)
		fail(directory);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct file *file = &files[file_count++];
		struct stat status;
		int descriptor = open(found.gl_pathv[i], O_RDONLY);
		if (descriptor < 0 || fstat(descriptor, &status) != 0 || file_count == MAX_FILES)
			fail(found.gl_pathv[i]);
		file->name = strrchr(found.gl_pathv[i], '/') + 1;
		file->descriptor = descriptor;
		file->mapped = file->size = status.st_size;
		file->now = mmap(NULL, file->size, PROT_READ, MAP_SHARED, descriptor, 0);
		file->before = malloc(file->size);
		if (file->now == MAP_FAILED || file->before == NULL)
			fail(found.gl_pathv[i]);
		memcpy(file->before, file->now, file->size);
		eager = eager && file->size <= EAGER_LIMIT;
		copy_file(file, copies);
	}
}

static void read_mappings(pid_t pid, const char *directory)
{
	char path[64], line[4608];
	snprintf(path, sizeof path, "/proc/%d/maps", pid);
	FILE *maps = fopen(path, "r");
	if (maps == NULL)
		fail(path);
	mapping_count = 0;
	while (fgets(line, sizeof line, maps) != NULL) {
		struct mapping mapping;
		int name_at = 0;
		if (sscanf(line, "%lx-%lx %*s %lx %*s %*s %n", &mapping.start, &mapping.end, &mapping.offset, &name_at) != 3)
			continue;
		char *name = line + name_at;
		name[strcspn(name, "\n")] = 0;
		if (strncmp(name, directory, strlen(directory)) != 0 || mapping_count == MAX_MAPPINGS)
			continue;
		for (mapping.file = 0; mapping.file < file_count; mapping.file++)
			if (strcmp(files[mapping.file].name, strrchr(name, '/') + 1) == 0)
				mappings[mapping_count++] = mapping;
	}
	fclose(maps);
}

static const struct mapping *find_mapping(uint64_t address)
{
	for (int i = 0; i < mapping_count; i++)
		if (address >= mappings[i].start && address < mappings[i].end)
			return &mappings[i];
	return NULL;
}

/* ---- the log ---- */

static void write_stack(const struct task *task, uint64_t rip)
{
	fprintf(output, " | %lx", rip);
	for (int i = task->depth - 1; i >= 0; i--)
		fprintf(output, " %lx", task->calls[i].return_address - 1);
	fputc('\n', output);
}

static void write_store(const struct task *task, struct file *file, size_t at, size_t end, const char *kind,
		const char *more, uint64_t rip)
{
	fprintf(output, "store %d %s %zu %s%s ", task->pid, file->name, at, kind, more);
	for (size_t i = at; i < end; i++)
		fprintf(output, "%02x", file->now[i]);
	write_stack(task, rip);
	memcpy(file->before + at, file->now + at, end - at);
}

/* Writes down a store whose place is known, also if it changed nothing. */
static void write_known_store(const struct task *task, enum kind kind, uint64_t rip, uint64_t address, size_t size)
{
	const struct mapping *mapping = find_mapping(address);
	if (mapping == NULL)
		return;
	struct file *file = &files[mapping->file];
	size_t at = address - mapping->start + mapping->offset, end = at + size < file->size ? at + size : file->size;
	const char *more = "";
	while (at < end) {
		size_t border = (at / 64 + 1) * 64;
		write_store(task, file, at, border < end ? border : end, kind == NON_TEMPORAL ? kind_names[kind] : "cached",
				more, rip);
		more = "+";
		at = border;
	}
}

/* Writes down what changed since last time, a run of changed words within a cache line at a time. */
static void compare_files(const struct task *task, enum kind kind, uint64_t rip)
{
	const char *name = kind == NON_TEMPORAL || kind == SYSTEM_CALL ? kind_names[kind] : "cached";
	const char *more = "";
	for (struct file *file = files; file < files + file_count; file++) {
		if (memcmp(file->before, file->now, file->size) == 0)
			continue;
		for (size_t at = 0; at < file->size;) {
			if (at % 4096 == 0 && at + 4096 <= file->size && memcmp(file->before + at, file->now + at, 4096) == 0) {
				at += 4096;
				continue;
			}
			size_t end = at;
			while (end < file->size && end / 64 == at / 64 && memcmp(file->before + end, file->now + end, 8) != 0)
				end += 8;
			if (end == at) {
				at += 8;
				continue;
			}
			end = end < file->size ? end : file->size;
			write_store(task, file, at, end, name, more, rip);
			more = "+";
			at = end;
		}
	}
}

/* A truncated file must not be looked at beyond its end: that is SIGBUS here. */
static void compare_sizes(const struct task *task, uint64_t rip)
{
	for (struct file *file = files; file < files + file_count; file++) {
		struct stat status;
		if (fstat(file->descriptor, &status) != 0)
			fail(file->name);
		size_t size = (size_t)status.st_size;
		if (size == file->size)
			continue;
		if (size > file->mapped) {
			fprintf(stderr, "step: %s grows beyond its first size\n", file->name);
			exit(2);
		}
		if (size < file->size)
			memset(file->before + size, 0, file->size - size);
		file->size = size;
		fprintf(output, "size %d %s %zu", task->pid, file->name, size);
		write_stack(task, rip);
	}
}

/* ---- instructions ---- */

static int is_prefix(unsigned char byte)
{
	return byte == 0x66 || byte == 0xf0 || byte == 0xf2 || byte == 0xf3 || byte == 0x64 || (byte & 0xf0) == 0x40;
}

static enum kind decode(const unsigned char *code)
{
	int operand_size = 0, locked = 0;
	for (;; code++) {
		if (*code == 0x66)
			operand_size = 1;
		else if (*code == 0xf0)
			locked = 1;
		else if ((*code & 0xf0) != 0x40 && *code != 0xf2 && *code != 0xf3 && *code != 0x64)
			break;
	}
	if ((code[0] == 0x86 || code[0] == 0x87) && code[1] >> 6 != 3) /* xchg with memory is locked without a prefix */
		return LOCKED;
	if (locked)
		return LOCKED;
	if ((code[0] == 0xc5 && code[2] == 0xe7) || (code[0] == 0xc4 && code[3] == 0xe7) ||
			(code[0] == 0xc5 && code[2] == 0x2b))
		return NON_TEMPORAL; /* vmovntdq, vmovntps */
	if (code[0] == 0x62 && code[4] == 0xe7)
		return NON_TEMPORAL; /* vmovntdq of AVX-512 */
	if (code[0] != 0x0f)
		return PLAIN;
	int extension = code[2] >> 3 & 7, memory = code[2] >> 6 != 3;
	if (code[1] == 0x05)
		return SYSTEM_CALL;
	if (code[1] == 0xc3 || code[1] == 0xe7 || code[1] == 0x2b)
		return NON_TEMPORAL;
	if (code[1] != 0xae)
		return PLAIN;
	if (extension == 7)
		return !memory ? SFENCE : operand_size ? CLFLUSHOPT : CLFLUSH;
	if (extension == 6)
		return !memory ? MFENCE : operand_size ? CLWB : PLAIN;
	return PLAIN;
}

/* The memory an instruction works on, whose opcode is 0F and one byte, or one byte when SHORT_OPCODE: [base + index * scale +
   displacement]. 0 for forms without a base, which lead to no PM. */
static uint64_t memory_address(const unsigned char *code, int short_opcode, const struct user_regs_struct *regs)
{
	const uint64_t values[16] = {regs->rax, regs->rcx, regs->rdx, regs->rbx, regs->rsp, regs->rbp, regs->rsi, regs->rdi,
			regs->r8, regs->r9, regs->r10, regs->r11, regs->r12, regs->r13, regs->r14, regs->r15};
	int rex = 0;
	for (; is_prefix(*code); code++)
		if ((*code & 0xf0) == 0x40)
			rex = *code;
	code += short_opcode ? 1 : 2;
	int mode = *code >> 6, rm = *code & 7;
	uint64_t address = 0;
	code++;
	if (mode == 3 || (mode == 0 && (rm == 5 || (rm == 4 && (*code & 7) == 5))))
		return 0;
	if (rm == 4) {
		int index = (*code >> 3 & 7) | (rex & 2) << 2;
		rm = *code & 7;
		if (index != 4)
			address += values[index] << (*code >> 6);
		code++;
	}
	address += values[rm | (rex & 1) << 3];
	if (mode == 1)
		address += (int8_t)*code;
	else if (mode == 2)
		address += (int64_t)(*(const int32_t *)code);
	return address;
}

/* How many bytes the common instructions of compiled C store to memory, and where; 0 for all others, of which compare_files()
   sees what they change. */
static size_t stored_bytes(const unsigned char *start, const struct user_regs_struct *regs, uint64_t *address)
{
	const unsigned char *code = start;
	int operand_size = 0, wide = 0, repeat = 0;
	for (; is_prefix(*code); code++) {
		operand_size |= *code == 0x66;
		wide |= (*code & 0xf8) == 0x48;
		if (*code == 0xf2 || *code == 0xf3)
			repeat = *code;
	}
	size_t general = wide ? 8 : operand_size ? 2 : 4;
	int extension = code[code[0] == 0x0f ? 2 : 1] >> 3 & 7;
	if (code[0] == 0xaa || code[0] == 0xa4 || code[0] == 0xab || code[0] == 0xa5) {
		/* stos, movs; one step is one round */
		*address = regs->rdi;
		return repeat && regs->rcx == 0 ? 0 : code[0] & 1 ? general : 1;
	}
	*address = memory_address(start, code[0] != 0x0f, regs);
	if (*address == 0)
		return 0;
	if (code[0] != 0x0f) {
		unsigned char opcode = code[0];
		int changes = (opcode < 0x38 && (opcode & 7) <= 1) || /* add, or, and, sub, xor */
				opcode == 0x88 || opcode == 0x89 || opcode == 0xc6 || opcode == 0xc7 || /* mov */
				opcode == 0x86 || opcode == 0x87 || /* xchg */
				((opcode == 0x80 || opcode == 0x81 || opcode == 0x83) && extension != 7) ||
				((opcode == 0xfe || opcode == 0xff) && extension <= 1) || /* inc, dec */
				((opcode == 0xf6 || opcode == 0xf7) && (extension == 2 || extension == 3));
		return !changes ? 0 : opcode == 0x83 || (opcode & 1) ? general : 1;
	}
	switch (code[1]) {
	case 0x11: /* movups, movss, movsd */ return repeat == 0xf3 ? 4 : repeat == 0xf2 ? 8 : 16;
	case 0x29:
	case 0x2b:
	case 0xe7: /* movaps, movntps, movntdq */ return 16;
	case 0x7f: /* movdqu */ return operand_size || repeat ? 16 : 8;
	case 0xd6: /* movq */ return 8;
	case 0xc3: /* movnti */
	case 0xc1: /* xadd */ return wide ? 8 : 4;
	default: return 0;
	}
}

static void read_memory(pid_t pid, uint64_t address, void *into, size_t size)
{
	struct iovec local = {into, size}, remote = {(void *)address, size};
	memset(into, 0, size);
	if (process_vm_readv(pid, &local, 1, &remote, 1, 0) > 0)
		return;
	remote.iov_len = 4096 - address % 4096; /* the next page is not there */
	if (process_vm_readv(pid, &local, 1, &remote, 1, 0) < 0)
		fail("process_vm_readv");
}

/* Code does not change while it is stepped over, so each address is decoded once. */
static enum kind kind_at(pid_t pid, uint64_t rip)
{
	static struct {
		uint64_t rip;
		enum kind kind;
	} cache[1 << 16];
	size_t slot = (rip ^ rip >> 16) & 0xffff;
	if (cache[slot].rip != rip) {
		unsigned char code[16];
		read_memory(pid, rip, code, sizeof code);
		cache[slot].rip = rip;
		cache[slot].kind = decode(code);
	}
	return cache[slot].kind;
}

static void note_before(const struct task *task, enum kind kind, const struct user_regs_struct *regs)
{
	unsigned char code[16];
	const struct mapping *mapping;
	uint64_t address;
	switch (kind) {
	case CLFLUSH:
	case CLFLUSHOPT:
	case CLWB:
		read_memory(task->pid, regs->rip, code, sizeof code);
		address = memory_address(code, 0, regs);
		mapping = find_mapping(address);
		if (mapping == NULL)
			fprintf(output, "flush %d - %lu %s", task->pid, address & ~63ul, kind_names[kind]);
		else
			fprintf(output, "flush %d %s %lu %s", task->pid, files[mapping->file].name,
					((address - mapping->start + mapping->offset) & ~63ul), kind_names[kind]);
		break;
	case SFENCE:
	case MFENCE:
	case LOCKED: fprintf(output, "fence %d %s", task->pid, kind_names[kind]); break;
	case SYSTEM_CALL:
		if (regs->rax == SYS_msync) {
			mapping = find_mapping(regs->rdi);
			if (mapping == NULL)
				return;
			const char *what = regs->rdi & 4095 ? "vain" : regs->rdx & MS_SYNC ? "sync" : "hint";
			fprintf(output, "%s %d %s %llu %llu", what, task->pid, files[mapping->file].name,
					regs->rdi - mapping->start + mapping->offset, (regs->rsi + 4095) & ~4095ull);
		} else if (regs->rax == SYS_fsync || regs->rax == SYS_fdatasync) {
			fprintf(output, "sync %d - 0 0", task->pid);
		} else {
			return;
		}
		break;
	default: return;
	}
	write_stack(task, regs->rip);
}

/* ---- tasks: threads and child processes ---- */

static struct task *add_task(pid_t pid, const struct task *parent)
{
	if (task_count == MAX_TASKS) {
		fprintf(stderr, "step: more than %d threads and processes\n", MAX_TASKS);
		exit(2);
	}
	struct task *task = &tasks[task_count++];
	if (parent != NULL)
		*task = *parent;
	task->pid = pid;
	task->state = RUNNABLE;
	task->fresh = 0;
	task->signal = 0;
	return task;
}

static void handle_stop(struct task *task, int status)
{
	if (WIFEXITED(status) || WIFSIGNALED(status)) {
		task->state = DEAD;
		return;
	}
	task->state = RUNNABLE;
	task->fresh = 0;
	int event = status >> 16;
	if (event == PTRACE_EVENT_CLONE || event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK) {
		unsigned long pid;
		int first;
		ptrace(PTRACE_GETEVENTMSG, task->pid, NULL, &pid);
		waitpid((pid_t)pid, &first, __WALL);
		struct task *child = add_task((pid_t)pid, task);
		if (event == PTRACE_EVENT_CLONE)
			child->depth = 0; /* a thread has a stack of its own */
		return;
	}
	int signal = WSTOPSIG(status);
	task->signal = signal == SIGTRAP || signal == SIGSTOP ? 0 : signal;
}

static struct task *next_task(struct task *current)
{
	static int left = QUANTUM;
	if (current->state == RUNNABLE && --left > 0)
		return current;
	left = QUANTUM;
	for (;;) {
		int alive = 0;
		for (int i = 1; i <= task_count; i++) {
			struct task *task = &tasks[(current - tasks + i) % task_count];
			int status;
			if (task->state == BLOCKED && waitpid(task->pid, &status, __WALL | WNOHANG) == task->pid)
				handle_stop(task, status);
			if (task->state == RUNNABLE)
				return task;
			alive += task->state == BLOCKED;
		}
		if (alive == 0)
			return NULL;
		nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
	}
}

/* A system call may wait for another task: after a while TASK counts as blocked, and the others continue. */
static void wait_for_step(struct task *task, enum kind kind)
{
	int status;
	for (int tries = 0; kind == SYSTEM_CALL; tries++) {
		pid_t ended = waitpid(task->pid, &status, __WALL | WNOHANG);
		if (ended == task->pid)
			break;
		if (tries == 40) {
			task->state = BLOCKED;
			return;
		}
		nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
	}
	if (kind != SYSTEM_CALL && waitpid(task->pid, &status, __WALL) != task->pid)
		fail("waitpid");
	handle_stop(task, status);
}

static void track_calls(struct task *task, const struct user_regs_struct *before, const struct user_regs_struct *after)
{
	while (task->depth > 0 && task->calls[task->depth - 1].sp < after->rsp)
		task->depth--;
	if (after->rsp != before->rsp - 8 || (after->rip > before->rip && after->rip - before->rip < 8))
		return;
	uint64_t top;
	read_memory(task->pid, after->rsp, &top, sizeof top);
	if (top > before->rip && top - before->rip < 16 && top != after->rip && task->depth < MAX_DEPTH)
		task->calls[task->depth++] = (struct call){after->rsp, top};
}

static void read_registers(struct task *task)
{
	if (ptrace(PTRACE_GETREGS, task->pid, NULL, &task->regs) != 0)
		fail("PTRACE_GETREGS");
	task->fresh = 1;
}

/* Runs until the first task's stack pointer rises above END_SP, or all tasks have ended. */
static void step_all(const char *directory, uint64_t end_sp)
{
	for (struct task *task = &tasks[0]; (task = next_task(task)) != NULL;) {
		if (!task->fresh)
			read_registers(task);
		struct user_regs_struct regs = task->regs;
		if (task == &tasks[0] && regs.rsp > end_sp)
			return;
		enum kind kind = kind_at(task->pid, regs.rip);
		if (!eager && kind != PLAIN)
			compare_files(task, PLAIN, regs.rip);
		if (kind != PLAIN)
			note_before(task, kind, &regs);
		uint64_t address = 0;
		size_t size = 0;
		if (eager && kind != SYSTEM_CALL) {
			unsigned char code[16];
			read_memory(task->pid, regs.rip, code, sizeof code);
			size = stored_bytes(code, &regs, &address);
		}
		if (ptrace(PTRACE_SINGLESTEP, task->pid, NULL, (void *)(intptr_t)task->signal) != 0)
			fail("PTRACE_SINGLESTEP");
		task->signal = 0;
		wait_for_step(task, kind);
		if (kind == SYSTEM_CALL)
			compare_sizes(task, regs.rip);
		if (size > 0)
			write_known_store(task, kind, regs.rip, address, size);
		if (eager || kind == SYSTEM_CALL)
			compare_files(task, kind, regs.rip);
		if (task->state != RUNNABLE)
			continue;
		if (kind == SYSTEM_CALL)
			read_mappings(task->pid, directory);
		read_registers(task);
		track_calls(task, &regs, &task->regs);
	}
}

/* ---- start ---- */

static pid_t start(char **command)
{
	pid_t pid = fork();
	if (pid < 0)
		fail("fork");
	if (pid == 0) {
		personality(ADDR_NO_RANDOMIZE);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execv(command[0], command);
		fail(command[0]);
	}
	int status;
	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		fail(command[0]);
	ptrace(PTRACE_SETOPTIONS, pid, NULL,
			PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK);
	return pid;
}

/* How far the program lies from its link-time addresses: the difference of its entry points. */
static uint64_t find_base(pid_t pid, const char *program)
{
	Elf64_Ehdr header;
	Elf64_auxv_t entry;
	char path[64];
	FILE *elf = fopen(program, "r");
	snprintf(path, sizeof path, "/proc/%d/auxv", pid);
	FILE *auxv = fopen(path, "r");
	if (elf == NULL || auxv == NULL || fread(&header, sizeof header, 1, elf) != 1)
		fail(program);
	while (fread(&entry, sizeof entry, 1, auxv) == 1 && entry.a_type != AT_ENTRY)
		;
	fclose(elf);
	fclose(auxv);
	return entry.a_un.a_val - header.e_entry;
}

static void run_to(pid_t pid, uint64_t address)
{
	long word = ptrace(PTRACE_PEEKTEXT, pid, address, NULL);
	struct user_regs_struct regs;
	int status;
	ptrace(PTRACE_POKETEXT, pid, address, (word & ~0xffl) | 0xcc);
	ptrace(PTRACE_CONT, pid, NULL, NULL);
	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP)
		fail("the program did not reach its function");
	ptrace(PTRACE_POKETEXT, pid, address, word);
	ptrace(PTRACE_GETREGS, pid, NULL, &regs);
	regs.rip = address;
	ptrace(PTRACE_SETREGS, pid, NULL, &regs);
}

int main(int argc, char **argv)
{
	if (argc < 6) {
		fprintf(stderr, "usage: step FUNCTION-OFFSET PMDIR STARTDIR LOG PROGRAM ARGUMENTS...\n");
		return 2;
	}
	const char *directory = argv[2];
	output = fopen(argv[4], "w");
	if (output == NULL)
		fail(argv[4]);
	pid_t pid = start(argv + 5);
	uint64_t base = find_base(pid, argv[5]);
	fprintf(output, "base %lx\n", base);
	run_to(pid, base + strtoul(argv[1], NULL, 16));
	open_files(directory, argv[3]);
	read_mappings(pid, directory);

	struct user_regs_struct regs;
	uint64_t caller;
	struct task *task = add_task(pid, NULL);
	ptrace(PTRACE_GETREGS, pid, NULL, &regs);
	read_memory(pid, regs.rsp, &caller, sizeof caller);
	task->calls[task->depth++] = (struct call){regs.rsp, caller};
	step_all(directory, regs.rsp);

	fclose(output);
	if (tasks[0].state != DEAD) {
		int status = 0;
		pid_t ended;
		ptrace(PTRACE_DETACH, pid, NULL, NULL);
		do /* threads that are still there end with it, and are waited for as well */
			ended = waitpid(-1, &status, __WALL);
		while (ended > 0 && ended != pid);
		if (ended != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
			fprintf(stderr, "step: the program did not end well\n");
			return 2;
		}
	}
	return 0;
}
