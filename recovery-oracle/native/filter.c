/* SPDX-License-Identifier: Apache-2.0 */
#include "filter.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define LOAD_LOW(number) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[number]))
#define LOAD_HIGH(number) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[number]) + 4)
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)
#define STOP RETURN(SECCOMP_RET_TRACE | OF_64_BITS)
#define PASS RETURN(SECCOMP_RET_ALLOW)
#define IF(number, skip_true, skip_false) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, skip_true, skip_false)
#define IF_ABOVE(number, skip_true, skip_false) BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, number, skip_true, skip_false)
#define IF_LEAST(number, skip_true, skip_false) BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, number, skip_true, skip_false)
#define IF_ANY(bits, skip_true, skip_false) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, skip_true, skip_false)
#define STOPS(number) IF(number, 0, 1), STOP
#define PASSES(number) IF(number, 0, 1), PASS
/* Our own calls carry a mark in an argument that they do not have. */
#define OURS_PASS LOAD_LOW(5), IF((uint32_t)OUR_CALL, 0, 3), LOAD_HIGH(5), IF((uint32_t)(OUR_CALL >> 32), 0, 1), PASS

static struct sock_filter start[] = {
		LOAD(arch),
		IF(AUDIT_ARCH_X86_64, 1, 0),
		RETURN(SECCOMP_RET_TRACE | OF_ANOTHER_KIND),
		LOAD(nr),
		IF_LEAST(0x40000000, 0, 1),
		RETURN(SECCOMP_RET_TRACE | OF_ANOTHER_KIND),
		/* Any file: libraries have no flags that a program's own files could not have. */
		IF(SYS_mmap, 0, 4),
		LOAD_LOW(3),
		IF_ANY(MAP_ANONYMOUS, 1, 0),
		STOP,
		PASS,
		/* Files are read, with what is not among the arguments. */
		STOPS(SYS_read),
		STOPS(SYS_pread64),
		STOPS(SYS_readv),
		STOPS(SYS_preadv),
		STOPS(SYS_preadv2),
		STOPS(SYS_writev),
		STOPS(SYS_pwritev),
		STOPS(SYS_pwritev2),
		STOPS(SYS_vmsplice),
		STOPS(SYS_sendmsg),
		STOPS(SYS_recvmsg),
		STOPS(SYS_sendmmsg),
		STOPS(SYS_recvmmsg),
		STOPS(SYS_sendfile),
		STOPS(SYS_splice),
		STOPS(SYS_copy_file_range),
		/* Files change. */
		STOPS(SYS_write),
		STOPS(SYS_pwrite64),
		STOPS(SYS_ftruncate),
		STOPS(SYS_truncate),
		STOPS(SYS_fallocate),
		STOPS(SYS_ioctl),
		STOPS(SYS_execve),
		STOPS(SYS_execveat),
		STOPS(SYS_mlockall),
		STOPS(SYS_io_setup),
		STOPS(SYS_io_uring_setup),
		STOPS(SYS_userfaultfd),
		STOPS(SYS_remap_file_pages),
		STOPS(SYS_process_vm_readv),
		/* Signals may look like traps. */
		STOPS(SYS_kill),
		STOPS(SYS_tkill),
		STOPS(SYS_tgkill),
		STOPS(SYS_rt_sigqueueinfo),
		STOPS(SYS_rt_tgsigqueueinfo),
		STOPS(SYS_ptrace),
		/* A filter of the program's own might forbid what it is made to do. */
		IF(SYS_prctl, 0, 4),
		LOAD_LOW(0),
		IF(PR_SET_SECCOMP, 0, 1),
		STOP,
		PASS,
		IF(SYS_seccomp, 0, 6),
		OURS_PASS,
		STOP,
		PASS,
};

static bool install(const struct sock_filter *program, unsigned short length)
{
	struct sock_fprog filter = {.len = length, .filter = (struct sock_filter *)program};
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

bool filter_start(void)
{
	unsigned short length = sizeof start / sizeof *start;
	return install(start, length) || (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && install(start, length));
}

#define LONGEST 128

struct program {
	struct sock_filter code[LONGEST];
	unsigned short length;
};

#define ADD(program, ...) \
	add(program, (const struct sock_filter[]){__VA_ARGS__}, sizeof((const struct sock_filter[]){__VA_ARGS__}))

static void add(struct program *program, const struct sock_filter *code, size_t size)
{
	memcpy(program->code + program->length, code, size);
	program->length += size / sizeof *code;
}

static void stop_for_argument(struct program *program, unsigned number, uint64_t first, uint64_t last)
{
	ADD(program, LOAD_HIGH(number), IF_LEAST(first >> 32, 0, 9), IF_ABOVE(last >> 32, 8, 0),
			IF((uint32_t)(first >> 32), 0, 2), LOAD_LOW(number), IF_LEAST((uint32_t)first, 0, 5), LOAD_HIGH(number),
			IF((uint32_t)(last >> 32), 0, 2), LOAD_LOW(number), IF_ABOVE((uint32_t)last, 1, 0), STOP);
}

static void compile(struct program *program, uint64_t first, uint64_t last)
{
	ADD(program, LOAD(arch), IF(AUDIT_ARCH_X86_64, 1, 0), PASS, /* The first filter stops it. */
			LOAD(nr),
			/* Frequent ones that neither read nor write memory. */
			PASSES(SYS_close), PASSES(SYS_lseek), PASSES(SYS_brk), PASSES(SYS_msync), PASSES(SYS_sched_yield),
			PASSES(SYS_getpid), PASSES(SYS_gettid), PASSES(SYS_rt_sigreturn), PASSES(SYS_exit), PASSES(SYS_exit_group),
			/* What may end in the range though it begins before it. */
			STOPS(SYS_mremap), STOPS(SYS_pkey_mprotect), STOPS(SYS_mlock), STOPS(SYS_mlock2), IF(SYS_mprotect, 1, 0),
			IF(SYS_munmap, 0, 6), OURS_PASS, STOP, IF(SYS_mmap, 0, 4), LOAD_LOW(3), IF_ANY(MAP_FIXED, 0, 1), STOP,
			PASS);
	for (unsigned i = 0; i < 6; i++)
		stop_for_argument(program, i, first, last);
	ADD(program, PASS);
}

/* Where the shared mappings begin that end there without a gap: what begins in them may end behind it. */
static uint64_t first_of_row(pid_t tid, uint64_t address)
{
	char path[64], line[4400], access[5];
	unsigned long from, end, row = address, row_end = 0;
	snprintf(path, sizeof path, "/proc/%d/maps", tid);
	FILE *maps = fopen(path, "re");
	if (maps == NULL)
		return address;
	while (fgets(line, sizeof line, maps) != NULL && sscanf(line, "%lx-%lx %4s", &from, &end, access) == 3) {
		if (from >= address)
			break;
		if (access[3] != 's')
			continue;
		row = from == row_end ? row : from;
		row_end = end;
	}
	fclose(maps);
	return row_end == address ? row : address;
}

static bool add_filter(struct task *task, const struct program *program)
{
	struct {
		struct sock_fprog filter;
		struct sock_filter code[LONGEST];
	} there;
	uint64_t place, result;
	const uint64_t room[6] = {0, sizeof there, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0};
	if (!tracee_call(task, SYS_mmap, room, &place))
		return false;
	memcpy(there.code, program->code, sizeof there.code);
	there.filter.len = program->length;
	there.filter.filter = (struct sock_filter *)(place + offsetof(typeof(there), code));
	const uint64_t filter[6] = {SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, place, 0, 0, OUR_CALL};
	const uint64_t end[6] = {place, sizeof there, 0, 0, 0, OUR_CALL};
	bool worked = tracee_write(task->tid, place, &there, sizeof there) &&
			tracee_call(task, SYS_seccomp, filter, &result) && result == 0;
	return tracee_call(task, SYS_munmap, end, &result) && worked;
}

bool filter_range(struct task *task, uint64_t address, uint64_t size)
{
	struct space *space = task->space;
	for (unsigned i = 0; i < space->filtered_count; i++)
		if (space->filtered[i].from <= address && address + size <= space->filtered[i].end)
			return true;
	if (space->filtered_count == MOST_FILTERED)
		return false;
	uint64_t from = first_of_row(task->tid, address);
	struct program program = {.length = 0};
	compile(&program, from, address + size - 1);
	if (!add_filter(task, &program))
		return false;
	space->filtered[space->filtered_count].from = from;
	space->filtered[space->filtered_count++].end = address + size;
	return true;
}
