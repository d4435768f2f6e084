/* SPDX-License-Identifier: Apache-2.0 */
#include "calls.h"

#include "ahead.h"
#include "filter.h"
#include "follow.h"
#include "traps.h"
#include "view.h"

#include <errno.h>
#include <linux/fs.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* A call that was refused, so that it is made again when what it needs is open. */
#define AGAIN (-2)

static bool is_watched_file(pid_t tid, int file, struct stat *status)
{
	char path[64];
	if (file < 0)
		return false;
	snprintf(path, sizeof path, "/proc/%d/fd/%d", tid, file);
	if (stat(path, status) == 0)
		return S_ISREG(status->st_mode) && lines_is_watched(status);
	if (errno != ENOENT)
		lines_give_up("the open files of a process cannot be seen");
	return false;
}

static uint64_t position(pid_t tid, int file)
{
	char path[64];
	unsigned long long at = 0;
	snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", tid, file);
	FILE *info = fopen(path, "re");
	if (info == NULL)
		return 0;
	int found = fscanf(info, "pos: %llu", &at);
	fclose(info);
	return found == 1 ? at : 0;
}

static void read_file(struct task *task, int file, uint64_t from, uint64_t size)
{
	struct stat status;
	if (is_watched_file(task->tid, file, &status))
		lines_file_read(status.st_dev, status.st_ino, from, size);
}

static void read_at_position(struct task *task, int file, uint64_t size)
{
	struct stat status;
	if (is_watched_file(task->tid, file, &status))
		lines_file_read(status.st_dev, status.st_ino, position(task->tid, file), size);
}

static void changes_file(struct task *task, int file)
{
	struct stat status;
	if (is_watched_file(task->tid, file, &status))
		follow_no_more();
}

/* Opens the memory that the call is given. Nothing is opened for it twice. */
struct needs {
	struct task *task;
	uint64_t address[64];
	uint64_t size[64];
	unsigned count;
};

static void need(struct needs *needs, uint64_t address, uint64_t size)
{
	if (size == 0 || !traps_is_closed(needs->task->space, address, size))
		return;
	if (needs->count == sizeof needs->size / sizeof *needs->size) {
		needs->address[0] = 0; /* all there is */
		needs->size[0] = UINT64_MAX;
		return;
	}
	needs->address[needs->count] = address;
	needs->size[needs->count++] = size;
}

/* The bytes of all of them together. */
static uint64_t need_vector(struct needs *needs, uint64_t vectors, uint64_t count)
{
	uint64_t all = 0;
	need(needs, vectors, count * sizeof(struct iovec));
	for (uint64_t i = 0; i < count && i < 1024; i++) {
		struct iovec one;
		if (tracee_read(needs->task->tid, vectors + i * sizeof one, &one, sizeof one) != sizeof one)
			break;
		need(needs, (uint64_t)one.iov_base, one.iov_len);
		all += one.iov_len;
	}
	return all;
}

static void need_message(struct needs *needs, uint64_t address)
{
	struct msghdr message;
	if (tracee_read(needs->task->tid, address, &message, sizeof message) != sizeof message)
		return;
	need_vector(needs, (uint64_t)message.msg_iov, message.msg_iovlen);
	need(needs, (uint64_t)message.msg_name, message.msg_namelen);
	need(needs, (uint64_t)message.msg_control, message.msg_controllen);
}

static void need_strings(struct needs *needs, uint64_t list)
{
	uint64_t string;
	if (!traps_is_closed(needs->task->space, 0, UINT64_MAX))
		return;
	need(needs, list, sizeof string);
	while (tracee_read(needs->task->tid, list, &string, sizeof string) == sizeof string && string != 0) {
		need(needs, string, PAGE);
		list += sizeof string;
		need(needs, list, sizeof string);
	}
}

/* The registers beyond it hold what was left there. */
static unsigned argument_count(long call)
{
	switch (call) {
	case SYS_getuid:
	case SYS_geteuid:
	case SYS_getgid:
	case SYS_getegid:
	case SYS_getppid:
	case SYS_fork:
	case SYS_vfork: return 0;
	case SYS_uname:
	case SYS_sysinfo:
	case SYS_unlink:
	case SYS_rmdir:
	case SYS_fsync:
	case SYS_fdatasync:
	case SYS_dup:
	case SYS_umask:
	case SYS_alarm:
	case SYS_set_tid_address: return 1;
	case SYS_fstat:
	case SYS_stat:
	case SYS_lstat:
	case SYS_access:
	case SYS_statfs:
	case SYS_fstatfs:
	case SYS_rename:
	case SYS_truncate:
	case SYS_ftruncate:
	case SYS_flock:
	case SYS_clock_gettime:
	case SYS_gettimeofday:
	case SYS_nanosleep:
	case SYS_pipe2:
	case SYS_dup2:
	case SYS_kill:
	case SYS_tkill:
	case SYS_set_robust_list:
	case SYS_arch_prctl:
	case SYS_sigaltstack: return 2;
	case SYS_open:
	case SYS_ioctl:
	case SYS_fcntl:
	case SYS_getdents64:
	case SYS_readlink:
	case SYS_unlinkat:
	case SYS_tgkill:
	case SYS_rt_sigqueueinfo:
	case SYS_sched_getaffinity:
	case SYS_poll: return 3;
	case SYS_openat:
	case SYS_newfstatat:
	case SYS_faccessat2:
	case SYS_readlinkat:
	case SYS_rt_sigaction:
	case SYS_rt_sigprocmask:
	case SYS_prlimit64:
	case SYS_fallocate:
	case SYS_wait4:
	case SYS_clock_nanosleep:
	case SYS_rseq: return 4;
	default: return 6;
	}
}

static void need_arguments(struct needs *needs, const struct user_regs_struct *at)
{
	uint64_t arguments[] = {at->rdi, at->rsi, at->rdx, at->r10, at->r8, at->r9};
	for (unsigned i = 0; i < argument_count(at->orig_rax); i++)
		need(needs, arguments[i], PAGE);
}

/* What the call reads, and where its arguments are. */
static void follow(struct task *task, const struct user_regs_struct *at, struct needs *needs)
{
	uint64_t size;
	switch (at->orig_rax) {
	case SYS_read:
		read_at_position(task, at->rdi, at->rdx);
		need(needs, at->rsi, at->rdx);
		break;
	case SYS_pread64:
		read_file(task, at->rdi, at->r10, at->rdx);
		need(needs, at->rsi, at->rdx);
		break;
	case SYS_readv:
		size = need_vector(needs, at->rsi, at->rdx);
		read_at_position(task, at->rdi, size);
		break;
	case SYS_preadv:
		size = need_vector(needs, at->rsi, at->rdx);
		read_file(task, at->rdi, at->r10, size);
		break;
	case SYS_preadv2:
		size = need_vector(needs, at->rsi, at->rdx);
		if ((int64_t)at->r10 == -1)
			read_at_position(task, at->rdi, size);
		else
			read_file(task, at->rdi, at->r10, size);
		break;
	case SYS_pwrite64:
	case SYS_ftruncate:
	case SYS_fallocate:
		changes_file(task, at->rdi);
		need(needs, at->rsi, at->orig_rax == SYS_pwrite64 ? at->rdx : 0);
		break;
	case SYS_truncate:
		follow_no_more();
		need_arguments(needs, at);
		break;
	case SYS_write:
		changes_file(task, at->rdi);
		need(needs, at->rsi, at->rdx);
		break;
	case SYS_sendto:
	case SYS_recvfrom: need(needs, at->rsi, at->rdx); break;
	case SYS_getrandom: need(needs, at->rdi, at->rsi); break;
	case SYS_writev:
	case SYS_pwritev:
	case SYS_pwritev2:
		changes_file(task, at->rdi);
		need_vector(needs, at->rsi, at->rdx);
		break;
	case SYS_vmsplice: need_vector(needs, at->rsi, at->rdx); break;
	case SYS_sendmsg:
	case SYS_recvmsg: need_message(needs, at->rsi); break;
	case SYS_sendfile:
		changes_file(task, at->rdi);
		read_file(task, at->rsi, 0, UINT64_MAX);
		break;
	case SYS_splice:
	case SYS_copy_file_range:
		changes_file(task, at->rdx);
		read_file(task, at->rdi, 0, UINT64_MAX);
		break;
	case SYS_kill:
	case SYS_tkill:
	case SYS_tgkill:
	case SYS_rt_sigqueueinfo:
	case SYS_rt_tgsigqueueinfo:
		traps_ask();
		need_arguments(needs, at);
		break;
	case SYS_mlock:
	case SYS_mlock2: need(needs, at->rdi, at->rsi); break;
	case SYS_mlockall: need(needs, 0, UINT64_MAX); break;
	case SYS_execve:
		need(needs, at->rdi, PAGE);
		need_strings(needs, at->rsi);
		need_strings(needs, at->rdx);
		break;
	case SYS_execveat:
		need(needs, at->rsi, PAGE);
		need_strings(needs, at->rdx);
		need_strings(needs, at->r10);
		break;
	case SYS_prctl:
	case SYS_seccomp:
		lines_give_up("a process restricts its own system calls");
		need(needs, 0, UINT64_MAX);
		break;
	case SYS_ioctl:
		if (at->rsi == FICLONE || at->rsi == FICLONERANGE)
			lines_give_up("a file was cloned");
		break;
	case SYS_sendmmsg:
	case SYS_recvmmsg:
	case SYS_io_setup:
	case SYS_io_uring_setup:
	case SYS_userfaultfd:
	case SYS_remap_file_pages:
	case SYS_process_vm_readv:
	case SYS_ptrace: lines_give_up("a system call reads memory in a way that is not followed"); break;
	default: need_arguments(needs, at); break;
	}
}

static bool is_of_mappings(long call)
{
	switch (call) {
	case SYS_mmap:
	case SYS_munmap:
	case SYS_mremap:
	case SYS_mprotect:
	case SYS_pkey_mprotect:
	case SYS_madvise: return true;
	default: return false;
	}
}

/* The call is refused for now; at its end pages can be opened. */
static void refuse(struct task *task, struct user_regs_struct *at)
{
	task->entry = *at;
	task->call = AGAIN;
	at->orig_rax = -1;
	ptrace(PTRACE_SETREGS, task->tid, NULL, at);
}

static enum after begin_mapping(struct task *task, struct user_regs_struct *at)
{
	struct stat status;
	bool is_mapped;
	if (at->orig_rax != SYS_madvise)
		ahead_changed();
	switch (at->orig_rax) {
	case SYS_mmap:
		is_mapped = !(at->r10 & MAP_ANONYMOUS) && is_watched_file(task->tid, at->r8, &status);
		if (!is_mapped && task->space->count == 0)
			return NO_MORE;
		break;
	case SYS_munmap: space_remove(task->space, at->rdi, at->rsi); return NO_MORE;
	case SYS_mremap:
		if (space_from(task->space, at->rdi) < space_from(task->space, at->rdi + at->rsi + PAGE - 1))
			lines_give_up("a mapping was moved");
		if (!traps_is_closed(task->space, at->rdi, at->rsi)) {
			space_remove(task->space, at->rdi, at->rsi);
			return NO_MORE;
		}
		refuse(task, at);
		return WHEN_DONE;
	case SYS_mprotect:
	case SYS_pkey_mprotect:
		if (space_from(task->space, at->rdi) == space_from(task->space, at->rdi + at->rsi + PAGE - 1))
			return NO_MORE;
		break;
	case SYS_madvise:
		if (at->rdx == MADV_POPULATE_READ || at->rdx == MADV_POPULATE_WRITE)
			lines_give_up("mapped memory is populated");
		return NO_MORE;
	default: return NO_MORE;
	}
	task->call = at->orig_rax;
	task->entry = *at;
	return WHEN_DONE;
}

enum after calls_begin(struct task *task)
{
	struct user_regs_struct at;
	unsigned long kind;
	if (ptrace(PTRACE_GETEVENTMSG, task->tid, NULL, &kind) != 0 || !tracee_registers(task->tid, &at))
		return NO_MORE;
	if (kind == OF_ANOTHER_KIND) {
		lines_give_up("a process makes system calls of 32 bits");
		return NO_MORE;
	}
	if (task->space->system_call == 0)
		task->space->system_call = at.rip - 2;
	if (is_of_mappings(at.orig_rax))
		return begin_mapping(task, &at);
	struct needs needs = {.task = task};
	follow(task, &at, &needs);
	if (needs.count == 0)
		return NO_MORE;
	for (unsigned i = 0; i < needs.count; i++)
		for (struct mapped *one = space_from(task->space, needs.address[i]);
				one < task->space->mapped + task->space->count && one->address < needs.address[i] + needs.size[i];
				one++)
			lines_all_read(one->page);
	refuse(task, &at);
	return WHEN_DONE;
}

/* All pages that are read by now are opened, and the call is made again. */
static void repeat(struct task *task)
{
	struct space *space = task->space;
	for (size_t i = 0; i < space->count; i++)
		if (space->mapped[i].is_closed && lines_is_open(space->mapped[i].page))
			traps_open(task, space->mapped[i].address, 1);
	task->entry.rax = task->entry.orig_rax;
	task->entry.rip -= 2;
	ptrace(PTRACE_SETREGS, task->tid, NULL, &task->entry);
}

static void mapped(struct task *task, uint64_t address)
{
	const struct user_regs_struct *at = &task->entry;
	uint64_t size = (at->rsi + PAGE - 1) & ~(uint64_t)(PAGE - 1);
	struct stat status;
	size_t count;
	space_remove(task->space, address, size);
	if ((at->r10 & MAP_ANONYMOUS) || !is_watched_file(task->tid, at->r8, &status))
		return;
	struct page *page = lines_pages(status.st_dev, status.st_ino, at->r9 / PAGE, &count);
	if (count == 0 || page->number * PAGE >= at->r9 + size)
		return;
	bool is_shared = (at->r10 & 0xf) != MAP_PRIVATE;
	struct page *first = page;
	for (; count > 0 && page->number * PAGE < at->r9 + size; page++, count--)
		space_add(task->space,
				(struct mapped){.address = address + (page->number * PAGE - at->r9),
						.page = page,
						.protection = at->rdx,
						.is_shared = is_shared});
	if (is_shared)
		view_map(task->tid, at->r8, first, page - first);
	if (!filter_range(task, address, size))
		lines_give_up("system calls that are given watched memory cannot be stopped");
	traps_close(task, address, size);
}

static void protected(struct task *task)
{
	const struct user_regs_struct *at = &task->entry;
	struct space *space = task->space;
	uint64_t size = (at->rsi + PAGE - 1) & ~(uint64_t)(PAGE - 1);
	for (struct mapped *one = space_from(space, at->rdi); one < space->mapped + space->count; one++) {
		if (one->address >= at->rdi + size)
			break;
		one->protection = at->rdx;
		one->is_closed = false;
	}
	traps_close(task, at->rdi, size);
}

void calls_end(struct task *task)
{
	struct user_regs_struct now;
	long call = task->call;
	task->call = -1;
	if (call == AGAIN) {
		repeat(task);
		return;
	}
	if (!tracee_registers(task->tid, &now) || ((int64_t)now.rax >= -4095 && (int64_t)now.rax < 0))
		return;
	if (call == SYS_mmap)
		mapped(task, now.rax);
	else
	protected(task);
}
