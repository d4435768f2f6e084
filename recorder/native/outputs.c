/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --outputs=yes: what the target wrote to standard output and error, to sockets, pipes and ordinary files, with its
 * bytes.
 *
 * A record follows its call, with the number of bytes that the kernel accepted: whatever is in the trace before a
 * failure point had certainly left the target. Standard output is what descriptor 1 of the first program was when it
 * began, under any number and in any process. If a target redirects descriptor 1, it counts as what it is then, for
 * example a pipe.
 */
#include "outputs.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "core_api.h"
#include "events.h"
#include "files.h"
#include "kernel_abi.h"
#include "memory.h"
#include "options.h"
#include "paths.h"
#include "sites.h"
#include "slots.h"
#include "stacks.h"
#include "trace.h"

/* Where a call's bytes are: in the target's memory, or in a file, which is read again. */
typedef struct {
	const struct vki_iovec *vector; /* NULL: in the file */
	UWord count;
	SizeT at; /* in the vector's first */
	Int fd; /* -1 when they are in neither */
	ULong offset;
} Source;

/* By thread: what the current call writes to. Another thread may reuse the descriptor while the call blocks. */
static UInt *kinds;

void pc_outputs_init(void)
{
	struct vg_stat status;
	if (!pc_options.outputs)
		return;
	kinds = pc_zeros(pc_most_threads(), sizeof(UInt));
	if (pc_control->live != 0)
		return; /* a program that was started by exec */
	if (VG_(fstat)(1, &status) == 0) {
		pc_control->output_device = status.dev;
		pc_control->output_inode = status.ino;
	}
	if (VG_(fstat)(2, &status) == 0) {
		pc_control->error_device = status.dev;
		pc_control->error_inode = status.ino;
	}
}

/* 0 when nobody reads what is written there. */
static UInt kind_of(ThreadId tid, Int fd)
{
	struct vg_stat status;
	if (fd < 0 || VG_(fstat)(fd, &status) != 0)
		return 0;
	Bool is_output = status.dev == pc_control->output_device && status.ino == pc_control->output_inode;
	Bool is_error = status.dev == pc_control->error_device && status.ino == pc_control->error_inode;
	if (VKI_S_ISCHR(status.mode) && fd != 1 && fd != 2)
		return 0; /* many open /dev/null for themselves */
	if (is_error && (fd == 2 || !is_output))
		return POWERCUT_STDERR;
	if (is_output)
		return POWERCUT_STDOUT;
	if (VKI_S_ISSOCK(status.mode))
		return POWERCUT_SOCKET;
	if (VKI_S_ISFIFO(status.mode))
		return POWERCUT_PIPE;
	Bool is_ordinary = VKI_S_ISREG(status.mode) && pc_file_of(tid, fd, &status, (ULong)status.size, False) == 0;
	return is_ordinary ? POWERCUT_FILE : 0;
}

static Bool take_from_memory(Source *source, UChar *to, SizeT size)
{
	while (size > 0) {
		if (source->count == 0)
			return False;
		SizeT left = source->vector->iov_len - source->at;
		SizeT piece = left < size ? left : size;
		Addr from = (Addr)source->vector->iov_base + source->at;
		if (piece != 0 && !pc_is_readable(from, piece))
			return False; /* another thread unmapped it meanwhile */
		VG_(memcpy)(to, (const void *)from, piece);
		to += piece;
		size -= piece;
		source->at += piece;
		if (source->at == source->vector->iov_len) {
			source->vector++;
			source->count--;
			source->at = 0;
		}
	}
	return True;
}

static Bool take(Source *source, UChar *to, SizeT size)
{
	if (source->vector != NULL)
		return take_from_memory(source, to, size);
	if (source->fd < 0)
		return False;
	SysRes read = VG_(do_syscall)(__NR_pread64, (UWord)source->fd, (UWord)to, size, source->offset, 0, 0, 0, 0);
	source->offset += size;
	return !sr_isError(read) && sr_Res(read) == size;
}

static void append(ThreadId tid, SiteIndex site, Int fd, UInt flags, const HChar *path, const UChar *data, SizeT size)
{
	UInt id = pc_site_id(site);
	UInt stack = pc_options.record ? pc_stack_id(pc_stack_in_syscall(tid, site)) : 0;
	SizeT path_length = VG_(strlen)(path);
	SizeT data_length = data == NULL ? 0 : size;
	struct powercut_output *record =
			pc_append(POWERCUT_OUTPUT, flags, tid, pc_round8(sizeof *record + path_length + data_length));
	record->site = id;
	record->fd = fd;
	record->size = size;
	record->path_length = (UInt)path_length;
	record->stack = stack;
	VG_(memcpy)(record->path, path, path_length);
	VG_(memcpy)(record->path + path_length, data, data_length);
	pc_commit();
}

static void wrote(ThreadId tid, Int fd, Source source, ULong size)
{
	static UChar buffer[POWERCUT_MAX_STORE_DATA];
	static HChar path[PATH_SIZE];
	UInt kind = kinds[tid];
	if (kind == 0 || size == 0)
		return;
	if (kind != POWERCUT_FILE || !pc_path_of_fd(fd, path))
		path[0] = 0;
	pc_lock();
	SiteIndex site = pc_syscall_site(tid);
	if (pc_options.acknowledged && pc_acknowledges())
		kind |= POWERCUT_OUTPUT_ACKNOWLEDGES;
	while (size > 0) {
		SizeT piece = size < sizeof buffer ? size : sizeof buffer;
		Bool known = take(&source, buffer, piece);
		if (!known)
			piece = size;
		append(tid, site, fd, kind | (known ? 0 : POWERCUT_OUTPUT_UNKNOWN) | (piece < size ? POWERCUT_OUTPUT_MORE : 0),
				path, known ? buffer : NULL, piece);
		size -= piece;
	}
	pc_unlock();
}

static void wrote_bytes(ThreadId tid, Int fd, UWord address, ULong size)
{
	struct vki_iovec one = {(void *)address, size};
	wrote(tid, fd, (Source){.vector = &one, .count = 1}, size);
}

static void wrote_vector(ThreadId tid, Int fd, UWord vectors, UWord count, ULong size)
{
	if (pc_vector_size(vectors, count) >= size)
		wrote(tid, fd, (Source){.vector = (const struct vki_iovec *)vectors, .count = count}, size);
	else /* another thread unmapped the vector meanwhile */
		wrote(tid, fd, (Source){.fd = -1}, size);
}

static void wrote_message(ThreadId tid, Int fd, UWord message, ULong size)
{
	const struct vki_msghdr *header = (const struct vki_msghdr *)message;
	if (pc_is_readable(message, sizeof *header))
		wrote_vector(tid, fd, (UWord)header->msg_iov, header->msg_iovlen, size);
	else
		wrote(tid, fd, (Source){.fd = -1}, size);
}

static void wrote_messages(ThreadId tid, Int fd, UWord messages, ULong count)
{
	const struct vki_mmsghdr *header = (const struct vki_mmsghdr *)messages;
	if (!pc_is_readable(messages, count * sizeof *header))
		return;
	for (ULong i = 0; i < count; i++)
		wrote_message(tid, fd, (UWord)&header[i].msg_hdr, header[i].msg_len);
}

/* sendfile and the like: what was taken from a file is still there, before the offset where the call stopped. */
static void moved(ThreadId tid, Int from, UWord offset, Int to, ULong size)
{
	struct vg_stat status;
	Source source = {.fd = -1};
	if (VG_(fstat)(from, &status) == 0 && VKI_S_ISREG(status.mode)) {
		Bool is_named = offset != 0 && pc_is_readable(offset, sizeof(Long));
		source.fd = from;
		source.offset = (is_named ? *(const ULong *)offset : (ULong)VG_(lseek)(from, 0, VKI_SEEK_CUR)) - size;
	}
	wrote(tid, to, source, size);
}

/* Into the pipe or out of it. */
static Bool is_for_writing(Int fd)
{
	SysRes flags = VG_(do_syscall)(__NR_fcntl, (UWord)fd, VKI_F_GETFL, 0, 0, 0, 0, 0, 0);
	return !sr_isError(flags) && (sr_Res(flags) & O_ACCMODE_) != VKI_O_RDONLY;
}

void pc_outputs_acknowledged(ThreadId tid, Addr bytes, SizeT size)
{
	static UChar line[POWERCUT_MAX_STORE_DATA];
	UInt kind = POWERCUT_ACKNOWLEDGED;
	if (!pc_options.outputs)
		return;
	if (size > sizeof line - 1)
		size = sizeof line - 1;
	if (size > 0 && !pc_is_readable(bytes, size))
		size = 0;
	pc_lock();
	VG_(memcpy)(line, (const void *)bytes, size);
	line[size] = '\n';
	if (pc_options.acknowledged && pc_acknowledges())
		kind |= POWERCUT_OUTPUT_ACKNOWLEDGES;
	append(tid, pc_site_of(VG_(get_IP)(tid)), -1, kind, "", line, size + 1);
	pc_unlock();
}

void pc_outputs_before_syscall(ThreadId tid, UInt number, const UWord *args)
{
	switch (number) {
	case __NR_write:
	case __NR_pwrite64:
	case __NR_sendto:
	case __NR_writev:
	case __NR_pwritev:
	case __NR_pwritev2:
	case __NR_sendmsg:
	case __NR_sendmmsg:
	case __NR_sendfile:
	case __NR_vmsplice: kinds[tid] = kind_of(tid, (Int)args[0]); break;
	case __NR_splice:
	case __NR_copy_file_range: kinds[tid] = kind_of(tid, (Int)args[2]); break;
	case __NR_tee: kinds[tid] = kind_of(tid, (Int)args[1]); break;
	default: break;
	}
}

void pc_outputs_after_syscall(ThreadId tid, UInt number, const UWord *args, SysRes result)
{
	Int fd = (Int)args[0];
	if (sr_isError(result) || sr_Res(result) == 0)
		return;
	ULong done = sr_Res(result);
	switch (number) {
	case __NR_write:
	case __NR_pwrite64:
	case __NR_sendto: wrote_bytes(tid, fd, args[1], done); break;
	case __NR_writev:
	case __NR_pwritev:
	case __NR_pwritev2: wrote_vector(tid, fd, args[1], args[2], done); break;
	case __NR_sendmsg: wrote_message(tid, fd, args[1], done); break;
	case __NR_sendmmsg: wrote_messages(tid, fd, args[1], done); break;
	case __NR_sendfile: moved(tid, (Int)args[1], args[2], fd, done); break;
	case __NR_splice:
	case __NR_copy_file_range: moved(tid, fd, args[1], (Int)args[2], done); break;
	case __NR_tee: wrote(tid, (Int)args[1], (Source){.fd = -1}, done); break;
	case __NR_vmsplice:
		if (is_for_writing(fd))
			wrote_vector(tid, fd, args[1], args[2], done);
		break;
	default: break;
	}
}
