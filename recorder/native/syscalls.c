/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls that change PM files or their mappings, or that persist. Calls that change names are in names.c, what is
 * visible outside is in outputs.c, what is read in reads.c.
 *
 * A call that writes to a PM file, or reads from an ordinary file into PM, is kept from blocking (by the wrappers at
 * the end), so that no other thread runs between the write and its record. It holds the trace's lock, so that no other
 * process does. What it wrote is read back from the file.
 */
#include "syscalls.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "attributes.h"
#include "core_api.h"
#include "determinism.h"
#include "events.h"
#include "file_locks.h"
#include "files.h"
#include "kernel.h"
#include "kernel_abi.h"
#include "limits.h"
#include "loads.h"
#include "mappings.h"
#include "memory.h"
#include "names.h"
#include "options.h"
#include "outputs.h"
#include "outside.h"
#include "paths.h"
#include "reads.h"
#include "schedule.h"
#include "schedule_log.h"
#include "slots.h"
#include "threads.h"
#include "trace.h"

#define MAP_TYPE 0x0f
#define MAP_SHARED_VALIDATE_ 0x03
#define MREMAP_DONTUNMAP_ 4
#define MS_SYNC_ 4
#define MADV_REMOVE_ 9
#define O_DSYNC_ 010000 /* also a bit of O_SYNC */
#define RWF_DSYNC_ 2
#define RWF_SYNC_ 4
#define RWF_APPEND_ 16
#define NOTHING_WRITTEN (~0ULL)
#define MAX_PIECES 256
#define MAX_PROMISES 256
#define MAX_SIZES 16
#define BLOCK_SIZE 4096 /* what a file system takes away at a time */
#define MAX_ZEROED 65536

/* A thread's call that writes to PM, while it lasts. */
typedef struct {
	Bool alone; /* lock held, no blocking */
	Bool writes_file; /* the descriptor is a PM file */
	UInt flags; /* of the store: SYNCHRONOUS if it is durable once the call has returned, or 0 */
	Bool fd_is_ours;
	Int fd;
	UInt file;
	ULong old_size;
	UInt old_mode;
	Long position; /* of a call that names its offset, else -1 */
	UInt memory_of; /* the descriptor is the memory of this process, 0 = it is not */
} Write;

static Write *writes; /* by thread */

/* The syncs of a thread's call. There are several, with consecutive numbers, when an msync covers several mappings. */
typedef struct {
	ULong first; /* its number */
	UInt count;
	UInt kind;
} Syncs;

static Syncs *syncs; /* by thread */

/* Requests to sync that were submitted (AIO). The address of the request identifies its completion. */
typedef struct {
	ULong request; /* 0 = free */
	ULong number;
	UInt kind;
} Promise;

static Promise promises[MAX_PROMISES];

static void append_punch(ThreadId tid, UInt file, ULong offset, ULong size)
{
	if (!pc_options.record || size == 0)
		return;
	pc_lock();
	struct powercut_file_punch *record = pc_append(POWERCUT_FILE_PUNCH, POWERCUT_PUNCH_STORED, tid, sizeof *record);
	record->file = file;
	record->offset = offset;
	record->size = size;
	pc_commit();
	pc_unlock();
}

/* ------------------------------------------------------- what becomes zero */

/*
 * What a call that makes a range read as zero is about to change: blocks that hold something else. It is known before
 * the call alone. There is one list, since nobody else runs between the call's beginning and its record.
 */
static FileRange *zeroed;
static UInt zeroed_count;
static UInt zeroed_room;

static void add_zeroed(UInt file, ULong from, ULong end)
{
	FileRange *last = zeroed_count == 0 ? NULL : &zeroed[zeroed_count - 1];
	/* Zeros are stored in between as well where there are too many: nothing changes there. */
	if (last != NULL && last->file == file && (last->end == from || (last->end < from && zeroed_count >= MAX_ZEROED))) {
		last->end = end;
		return;
	}
	if (zeroed_count == zeroed_room) {
		zeroed_room = zeroed_room == 0 ? 16 : 2 * zeroed_room;
		zeroed = VG_(realloc)("pc.zeroed", zeroed, zeroed_room * sizeof *zeroed);
	}
	zeroed[zeroed_count++] = (FileRange){file, from, end};
}

static Bool is_zero(const UChar *bytes, SizeT size)
{
	for (SizeT i = 0; i < size; i++) {
		if (bytes[i] != 0)
			return False;
	}
	return True;
}

/* The bytes of a file from an offset on become zero. */
static void becomes_zero(UInt file, ULong from, const UChar *bytes, SizeT size)
{
	for (SizeT at = 0; at < size;) {
		SizeT piece = BLOCK_SIZE - (from + at) % BLOCK_SIZE;
		if (piece > size - at)
			piece = size - at;
		if (!is_zero(bytes + at, piece))
			add_zeroed(file, from + at, from + at + piece);
		at += piece;
	}
}

static UChar old_bytes[POWERCUT_MAX_STORE_DATA];

/* Holes are passed over: they may be very large. A file system that cannot tell has none. */
static void range_becomes_zero(UInt file, Int reader, ULong from, ULong end)
{
	while (from < end) {
		SysRes data = VG_(do_syscall)(__NR_lseek, (UWord)reader, from, SEEK_DATA_, 0, 0, 0, 0, 0);
		if (sr_isError(data) && sr_Err(data) == VKI_ENXIO)
			return;
		if (!sr_isError(data) && sr_Res(data) > from)
			from = sr_Res(data);
		if (from >= end)
			return;
		SizeT piece = sizeof old_bytes - from % BLOCK_SIZE;
		if (piece > end - from)
			piece = end - from;
		SysRes read = VG_(do_syscall)(__NR_pread64, (UWord)reader, (UWord)old_bytes, piece, from, 0, 0, 0, 0);
		if (sr_isError(read) || sr_Res(read) == 0)
			return;
		becomes_zero(file, from, old_bytes, sr_Res(read));
		from += sr_Res(read);
	}
}

static void append_zeroed(ThreadId tid, UInt flags)
{
	if (zeroed_count != 0)
		pc_file_zeroed(tid, zeroed, zeroed_count, flags);
	zeroed_count = 0;
}

static void begin_alone(Write *write)
{
	pc_lock();
	write->alone = True;
}

static void end_alone(Write *write)
{
	if (write->alone)
		pc_unlock();
	write->alone = False;
}

/* ---------------------------------------------------------- file writes */

static Bool is_open_with(Int fd, UWord flag)
{
	SysRes flags = VG_(do_syscall)(__NR_fcntl, (UWord)fd, VKI_F_GETFL, 0, 0, 0, 0, 0, 0);
	return !sr_isError(flags) && (sr_Res(flags) & flag) != 0;
}

/* Whether what a call writes is durable once it has returned. copy_file_range may share blocks, so no flag helps. */
static UInt flags_of_write(Int fd, UInt number, const UWord *args)
{
	Bool is_durable = is_open_with(fd, O_DSYNC_) && number != __NR_copy_file_range;
	if (number == __NR_pwritev2)
		is_durable |= (args[5] & (RWF_DSYNC_ | RWF_SYNC_)) != 0;
	return is_durable ? POWERCUT_STORE_SYNCHRONOUS : 0;
}

/* Flags: those of the store, if it is one. */
static void begin_write(ThreadId tid, Int fd, Long position, Bool is_store, UInt flags, Bool may_block)
{
	Write *write = &writes[tid];
	write->file = pc_file_of_fd(tid, fd, False);
	if (write->file == 0) {
		if (is_store)
			pc_outside_write(fd);
		write->memory_of = is_store ? pc_process_of_memory(fd) : 0;
		write->fd = fd;
		write->position = position;
		if (write->memory_of != 0) { /* no other thread stores, or looks, between the write and its record */
			pc_events_call_stores(tid);
			if (!may_block)
				begin_alone(write);
		}
		return;
	}
	if (is_store)
		pc_before_file_store(tid, flags);
	write->writes_file = True;
	write->flags = flags;
	write->fd_is_ours = False;
	write->fd = fd;
	write->position = position;
	pc_events_call_stores(tid);
	if (!may_block)
		begin_alone(write);
	struct vg_stat status;
	VG_(memset)(&status, 0, sizeof status);
	VG_(fstat)(fd, &status);
	write->old_size = (ULong)status.size;
	write->old_mode = status.mode;
}

static void announce_size(ThreadId tid, Int fd, Bool grows, UInt flags)
{
	HChar path[PATH_SIZE];
	pc_metadata(tid, POWERCUT_RESIZE | flags, grows, pc_path_of_fd(fd, path) ? pc_relative(path) : NULL, NULL);
}

static void begin_resize(ThreadId tid, Int fd, ULong size)
{
	begin_write(tid, fd, -1, False, 0, False);
	if (writes[tid].writes_file && size != writes[tid].old_size)
		announce_size(tid, fd, size > writes[tid].old_size, 0);
}

/* truncate names its file by a path; otherwise it is like ftruncate. */
static void before_truncate(ThreadId tid, UWord path, ULong size)
{
	/* O_PATH needs no permission and does not open devices. The kernel checks the target's pointer. */
	SysRes opened = VG_(do_syscall)(__NR_openat, (UWord)(Word)AT_FDCWD_, path, O_PATH_ | VKI_O_CLOEXEC, 0, 0, 0, 0, 0);
	if (sr_isError(opened))
		return;
	begin_resize(tid, (Int)sr_Res(opened), size);
	writes[tid].fd_is_ours = writes[tid].writes_file;
	if (!writes[tid].writes_file)
		VG_(close)((Int)sr_Res(opened));
}

/*
 * The size of the file changed. What it gains reads as zero, except on tmpfs: there, what was stored through a mapping
 * beyond the old end, in the rest of its last page, becomes visible. That is looked for up to the offset from which the
 * call itself wrote: its store says what is there.
 */
static void resized(ThreadId tid, const Write *write, ULong size, ULong written_from)
{
	UChar rest[VKI_PAGE_SIZE];
	ULong end = (write->old_size + VKI_PAGE_SIZE - 1) & ~(ULong)(VKI_PAGE_SIZE - 1);
	pc_append_resize(tid, write->file, size);
	if (end > size)
		end = size;
	if (end > written_from)
		end = written_from;
	if (end <= write->old_size || !pc_options.record)
		return;
	Int fd = pc_open_again(write->fd);
	SysRes read =
			VG_(do_syscall)(__NR_pread64, (UWord)fd, (UWord)rest, end - write->old_size, write->old_size, 0, 0, 0, 0);
	if (fd >= 0)
		VG_(close)(fd);
	for (UWord i = 0; !sr_isError(read) && i < sr_Res(read); i++) {
		if (rest[i] != 0) {
			pc_file_store(tid, write->fd, write->file, write->old_size + i, end - write->old_size - i, 0);
			return;
		}
	}
}

static void store_range(ThreadId tid, const Write *write, ULong offset, ULong size, UInt flags)
{
	ULong new_size = pc_size_of_fd(write->fd);
	if (new_size > write->old_size) {
		pc_file_store_grows(tid, write->fd, write->file, offset, flags);
		resized(tid, write, new_size, offset);
	}
	pc_file_store(tid, write->fd, write->file, offset, size, flags);
}

static Bool appends(Int fd)
{
	return is_open_with(fd, VKI_O_APPEND);
}

/* write and the like return how many bytes. The descriptor's offset reveals where, unless the call named one. */
static void end_write(ThreadId tid, const Write *write, UInt number, const UWord *args, SysRes result)
{
	Bool at_end = number == __NR_pwritev2 && (args[5] & RWF_APPEND_) != 0;
	ULong written = sr_isError(result) ? 0 : sr_Res(result);
	ULong offset;
	if (written == 0)
		return;
	if (at_end || (write->position >= 0 && appends(write->fd))) /* Linux appends, whatever offset pwrite names */
		offset = pc_size_of_fd(write->fd) - written;
	else if (write->position >= 0)
		offset = (ULong)write->position;
	else
		offset = (ULong)VG_(lseek)(write->fd, 0, VKI_SEEK_CUR) - written;
	store_range(tid, write, offset, written, write->flags);
	if (pc_options.reads)
		pc_overwritten(write->file, offset, written);
}

static void end_resize(ThreadId tid, const Write *write, SysRes result)
{
	if (!sr_isError(result))
		resized(tid, write, pc_size_of_fd(write->fd), NOTHING_WRITTEN);
}

static Bool zeroes(UWord mode)
{
	return (mode & (FALLOC_PUNCH_HOLE | FALLOC_ZERO_RANGE)) != 0;
}

static Bool shifts(UWord mode)
{
	return (mode & (FALLOC_COLLAPSE_RANGE | FALLOC_INSERT_RANGE)) != 0;
}

static void begin_fallocate(ThreadId tid, Int fd, const UWord *args)
{
	const Write *write = &writes[tid];
	ULong offset = args[2];
	ULong end = offset + args[3];
	Bool stores = zeroes(args[1]) || shifts(args[1]); /* then it is no change of metadata alone */
	/* File systems write back what they will shift, and then move blocks in one transaction: it is durable, like a size. */
	UInt flags = shifts(args[1]) || is_open_with(fd, O_DSYNC_) ? POWERCUT_STORE_SYNCHRONOUS : 0;
	begin_write(tid, fd, -1, stores, flags, False);
	if (!write->writes_file)
		return;
	if (!stores && (args[1] & FALLOC_KEEP_SIZE) == 0 && end > write->old_size)
		announce_size(tid, fd, True, is_open_with(fd, O_DSYNC_) ? POWERCUT_METADATA_DURABLE : 0);
	if (!zeroes(args[1]))
		return;
	zeroed_count = 0;
	if (end > write->old_size || end < offset)
		end = write->old_size;
	Int reader = pc_open_again(fd); /* the target's descriptor may be write-only */
	if (reader >= 0) {
		range_becomes_zero(write->file, reader, offset, end);
		VG_(close)(reader);
	} else if (offset < end) {
		add_zeroed(write->file, offset, end);
	}
}

static void end_fallocate(ThreadId tid, const Write *write, const UWord *args, SysRes result)
{
	ULong offset = args[2];
	ULong end = offset + args[3];
	ULong size = pc_size_of_fd(write->fd);
	if (sr_isError(result))
		return;
	if (shifts(args[1])) {
		/* The file becomes shorter after its record, and longer before. */
		store_range(tid, write, offset, size > offset ? size - offset : 0, write->flags);
		if (size < write->old_size)
			resized(tid, write, size, NOTHING_WRITTEN);
		return;
	}
	if (zeroes(args[1]))
		append_zeroed(tid, write->flags);
	if (size != write->old_size)
		resized(tid, write, size, NOTHING_WRITTEN);
	if (zeroes(args[1]) && offset < size)
		append_punch(tid, write->file, offset, (end < size ? end : size) - offset);
}

/* Another file's blocks became this one's (ioctl FICLONE and FICLONERANGE). */
static void end_clone(ThreadId tid, const Write *write, SysRes result)
{
	if (!sr_isError(result))
		store_range(tid, write, 0, pc_size_of_fd(write->fd), 0);
}

static void end_write_to_memory(ThreadId tid, const Write *write, SysRes result)
{
	ULong written = sr_isError(result) ? 0 : sr_Res(result);
	if (written != 0)
		pc_memory_written(tid, write->memory_of,
				write->position >= 0 ? (Addr)write->position : (Addr)VG_(lseek)(write->fd, 0, VKI_SEEK_CUR) - written,
				written);
}

static void after_write(ThreadId tid, UInt number, const UWord *args, SysRes result)
{
	Write *write = &writes[tid];
	if (write->memory_of != 0)
		end_write_to_memory(tid, write, result);
	if (!write->writes_file)
		return;
	if (!write->alone) /* the data came from a pipe or a socket, which may block */
		begin_alone(write);
	switch (number) {
	case __NR_ftruncate:
	case __NR_truncate: end_resize(tid, write, result); break;
	case __NR_fallocate: end_fallocate(tid, write, args, result); break;
	case __NR_ioctl: end_clone(tid, write, result); break;
	default: end_write(tid, write, number, args, result); break;
	}
	pc_attributes_after_write(tid, write->fd, write->file, write->old_mode);
	if (write->fd_is_ours)
		VG_(close)(write->fd);
	write->writes_file = False;
}

/* ---------------------------------------------------------------- syncs */

static void begin_sync(ThreadId tid, UInt kind, ULong location, ULong size)
{
	ULong number = pc_sync(tid, kind, location, size);
	if (syncs[tid].count++ == 0)
		syncs[tid].first = number;
	syncs[tid].kind = kind;
}

static void end_syncs(ThreadId tid, SysRes result)
{
	for (UInt i = 0; i < syncs[tid].count; i++)
		pc_sync_end(tid, syncs[tid].kind, syncs[tid].first + i, sr_isError(result) ? (UInt)sr_Err(result) : 0);
	syncs[tid].count = 0;
}

/* ------------------------------------------------------------- mappings */

/*
 * Valgrind assumes that code from a file never changes. That is wrong if the file is mapped a second time for writing,
 * as just-in-time compilers do, or if pages are written and then made executable. From here on it checks, each time.
 */
static void code_may_change(Addr start, SizeT size)
{
	VG_(clo_smc_check) = SMC_ALL;
	VG_(discard_translations)(start, size, "code of a file may change");
}

static void after_mprotect(const UWord *args, SysRes result)
{
	const NSegment *segment = VG_(am_find_nsegment)(args[0]);
	/* What the dynamic loader maps is executable from the start. */
	if (!sr_isError(result) && (args[2] & VKI_PROT_EXEC) != 0 && segment != NULL && segment->kind == SkFileC)
		code_may_change(args[0], args[1]);
}

static void after_mmap(ThreadId tid, const UWord *args, SysRes result)
{
	UWord type = args[3] & MAP_TYPE;
	if (sr_isError(result))
		return;
	if ((args[2] & VKI_PROT_EXEC) != 0 && (args[3] & VKI_MAP_ANONYMOUS) == 0 &&
			(type != VKI_MAP_PRIVATE || (args[2] & VKI_PROT_WRITE) != 0))
		code_may_change(sr_Res(result), args[1]);
	pc_mapping_remove(tid, sr_Res(result), args[1]); /* MAP_FIXED replaces what was there */
	if ((args[3] & VKI_MAP_ANONYMOUS) != 0 || (type != VKI_MAP_SHARED && type != MAP_SHARED_VALIDATE_))
		return;
	UInt file = pc_file_of_fd(tid, (Int)args[4], False);
	if (file != 0)
		pc_mapping_add(tid, sr_Res(result), args[1], file, args[5]);
}

static void after_munmap(ThreadId tid, const UWord *args, SysRes result)
{
	if (!sr_isError(result))
		pc_mapping_remove(tid, args[0], args[1]);
}

static void after_mremap(ThreadId tid, const UWord *args, SysRes result)
{
	static Mapping pieces[MAX_PIECES];
	Addr old_start = args[0];
	SizeT old_size = args[1];
	SizeT new_size = args[2];
	if (sr_isError(result))
		return;
	Addr new_start = sr_Res(result);
	/* old size 0 makes a second mapping of what is there */
	Int count = pc_mappings_in(old_start, old_size == 0 ? VKI_PAGE_SIZE : old_size, pieces, MAX_PIECES);
	if (old_size != 0 && (args[3] & MREMAP_DONTUNMAP_) == 0)
		pc_mapping_remove(tid, old_start, old_size);
	pc_mapping_remove(tid, new_start, new_size);
	for (Int i = 0; i < count; i++) {
		SizeT skip = pieces[i].start - old_start;
		SizeT size = pieces[i].end - pieces[i].start;
		if (i == count - 1 || skip + size > new_size)
			size = skip < new_size ? new_size - skip : 0; /* the last one grows or shrinks */
		if (size != 0)
			pc_mapping_add(tid, new_start + skip, size, pieces[i].file, pieces[i].offset);
	}
}

/* The file that is mapped somewhere; negative if it has another name by now. */
static Int open_mapped(const Mapping *piece)
{
	struct vg_stat status;
	const NSegment *segment = VG_(am_find_nsegment)(piece->start);
	const HChar *name = segment == NULL ? NULL : VG_(am_get_filename)(segment);
	Int fd = name == NULL ? -1 : VG_(fd_open)(name, VKI_O_RDONLY | VKI_O_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	if (VG_(fstat)(fd, &status) == 0 && pc_file_known(status.dev, status.ino) == piece->file)
		return fd;
	VG_(close)(fd);
	return -1;
}

/* What memory cannot show lies behind the file's end. */
static void memory_becomes_zero(const Mapping *piece)
{
	for (Addr at = piece->start; at < piece->end; at += VKI_PAGE_SIZE) {
		SizeT read = pc_read_memory((UInt)VG_(getpid)(), at, old_bytes, VKI_PAGE_SIZE);
		becomes_zero(piece->file, piece->offset + (at - piece->start), old_bytes, read);
	}
}

/* It punches a hole: nobody may store there until it is recorded. */
static void before_madvise(ThreadId tid, const UWord *args)
{
	static Mapping pieces[MAX_PIECES];
	Int count = args[2] == MADV_REMOVE_ ? pc_mappings_in(args[0], args[1], pieces, MAX_PIECES) : 0;
	if (count == 0)
		return;
	pc_before_file_store(tid, 0);
	pc_events_call_stores(tid);
	begin_alone(&writes[tid]);
	zeroed_count = 0;
	for (Int i = 0; i < count; i++) {
		Int fd = open_mapped(&pieces[i]);
		if (fd >= 0) {
			ULong end = pieces[i].offset + (pieces[i].end - pieces[i].start);
			ULong size = pc_size_of_fd(fd);
			range_becomes_zero(pieces[i].file, fd, pieces[i].offset, end < size ? end : size);
			VG_(close)(fd);
		} else {
			memory_becomes_zero(&pieces[i]);
		}
	}
}

static void after_madvise(ThreadId tid, const UWord *args, SysRes result)
{
	static Mapping pieces[MAX_PIECES];
	if (sr_isError(result) || args[2] != MADV_REMOVE_)
		return;
	Int count = pc_mappings_in(args[0], args[1], pieces, MAX_PIECES);
	if (count != 0)
		append_zeroed(tid, 0);
	for (Int i = 0; i < count; i++)
		append_punch(tid, pieces[i].file, pieces[i].offset, pieces[i].end - pieces[i].start);
}

/* With SHM_REMAP it replaces what was there. */
static void after_shmat(ThreadId tid, SysRes result)
{
	const NSegment *segment = sr_isError(result) ? NULL : VG_(am_find_nsegment)(sr_Res(result));
	if (segment != NULL)
		pc_mapping_remove(tid, sr_Res(result), segment->end + 1 - sr_Res(result));
}

static void after_sigaltstack(ThreadId tid, const UWord *args, SysRes result)
{
	const vki_stack_t *stack = (const vki_stack_t *)args[0];
	if (!sr_isError(result) && args[0] != 0 && pc_is_readable(args[0], sizeof *stack))
		pc_alternate_stack(tid, (Addr)stack->ss_sp, (stack->ss_flags & VKI_SS_DISABLE) != 0 ? 0 : stack->ss_size);
}

static void before_msync(ThreadId tid, const UWord *args)
{
	static Mapping pieces[MAX_PIECES];
	UInt kind = (args[2] & MS_SYNC_) != 0 ? POWERCUT_MSYNC_SYNC : POWERCUT_MSYNC_ASYNC;
	Int count = pc_mappings_in(args[0], (args[1] + VKI_PAGE_SIZE - 1) & ~(VKI_PAGE_SIZE - 1), pieces, MAX_PIECES);
	pc_lock(); /* their numbers are consecutive */
	for (Int i = 0; i < count; i++)
		begin_sync(tid, kind, pc_location(pieces[i].file, pieces[i].offset), pieces[i].end - pieces[i].start);
	pc_unlock();
	if (count == 0 && pc_mappings_in(args[0], 1, pieces, MAX_PIECES) == 0) /* of no length, which does nothing */
		pc_outside_msync(tid, args[0]);
}

static void before_fsync(ThreadId tid, UInt kind, Int fd, ULong offset, ULong size)
{
	struct vg_stat status;
	HChar path[PATH_SIZE];
	if (fd < 0 || VG_(fstat)(fd, &status) != 0)
		return;
	UInt file = pc_file_of(tid, fd, &status, (ULong)status.size, False);
	if (file != 0 && offset > POWERCUT_LOCATION_OFFSET_MASK)
		return; /* nothing that was recorded is there */
	if (size > POWERCUT_LOCATION_OFFSET_MASK - offset)
		size = POWERCUT_LOCATION_OFFSET_MASK - offset; /* a negative size, too: the call will fail */
	if (file != 0)
		begin_sync(tid, kind, pc_location(file, offset), size);
	else if (VKI_S_ISREG(status.mode))
		pc_outside_sync(tid, &status);
	else if (VKI_S_ISDIR(status.mode) && status.dev == pc_pm_device() && pc_path_of_fd(fd, path) &&
			pc_relative(path) != NULL)
		begin_sync(tid, POWERCUT_SYNC_DIRECTORY, 0, 0);
}

static void before_sync_all(ThreadId tid)
{
	if (pc_control->seen_files != 0)
		begin_sync(tid, POWERCUT_SYNC_ALL, 0, 0);
}

static void before_syncfs(ThreadId tid, Int fd)
{
	struct vg_stat status;
	if (fd >= 0 && VG_(fstat)(fd, &status) == 0 && status.dev == pc_pm_device())
		before_sync_all(tid);
}

static Bool is_regular(Int fd)
{
	struct vg_stat status;
	return VG_(fstat)(fd, &status) == 0 && VKI_S_ISREG(status.mode);
}

static void before_read(ThreadId tid, Int fd, Addr address, SizeT size)
{
	Mapping piece;
	Bool into_pm = pc_mappings_in(address, size, &piece, 1) != 0 && is_regular(fd);
	/* The descriptor's offset after the call reveals where it read. */
	if (into_pm || (pc_options.reads && pc_file_of_fd(tid, fd, False) != 0))
		begin_alone(&writes[tid]);
}

static void before_readv(ThreadId tid, Int fd, UWord vectors, UWord count)
{
	const struct vki_iovec *vector = (const struct vki_iovec *)vectors;
	if (pc_vector_size(vectors, count) == 0)
		return;
	for (UWord i = 0; i < count && !writes[tid].alone; i++)
		before_read(tid, fd, (Addr)vector[i].iov_base, vector[i].iov_len);
}

/* An offset of copy_file_range or splice: by pointer, or the descriptor's own. */
static Long offset_at(UWord pointer)
{
	return pointer != 0 && pc_is_readable(pointer, sizeof(Long)) ? *(Long *)pointer : -1;
}

/* ------------------------------------------------ writes handed in (AIO) */

static Bool is_sync(const struct vki_iocb *request)
{
	return request->aio_lio_opcode == AIO_FSYNC || request->aio_lio_opcode == AIO_FDSYNC;
}

static Bool writes_file(const struct vki_iocb *request)
{
	return request->aio_lio_opcode == AIO_PWRITE || request->aio_lio_opcode == AIO_PWRITEV;
}

/* By thread: the sizes of the files before a call that submitted writes to them, for its first requests. */
typedef struct {
	ULong sizes[MAX_SIZES];
} OldSizes;

static OldSizes *old_sizes; /* by thread */

/* The kernel stores at any time, and reports it when the event is collected. */
static Bool reads_into_pm(const struct vki_iocb *request)
{
	const struct vki_iovec *vector = (const struct vki_iovec *)request->aio_buf;
	Mapping piece;
	if (request->aio_lio_opcode == AIO_PREAD)
		return pc_mappings_in(request->aio_buf, request->aio_nbytes, &piece, 1) != 0;
	if (request->aio_lio_opcode != AIO_PREADV || pc_vector_size(request->aio_buf, request->aio_nbytes) == 0)
		return False;
	for (UWord i = 0; i < request->aio_nbytes; i++) {
		if (pc_mappings_in((Addr)vector[i].iov_base, vector[i].iov_len, &piece, 1) != 0)
			return True;
	}
	return False;
}

static void before_submit(ThreadId tid, const UWord *args)
{
	for (UWord i = 0; i < args[1]; i++) {
		const struct vki_iocb *one = pc_aio_request(args[2], i);
		if (one == NULL)
			return;
		if (writes_file(one) && pc_file_of_fd(tid, (Int)one->aio_fildes, False) != 0) {
			pc_before_file_store(tid, 0);
			if (i < MAX_SIZES)
				old_sizes[tid].sizes[i] = pc_size_of_fd((Int)one->aio_fildes);
		} else if (reads_into_pm(one))
			pc_events_stores_at_any_time();
		else if (is_sync(one) && is_regular((Int)one->aio_fildes))
			before_fsync(tid, one->aio_lio_opcode == AIO_FSYNC ? POWERCUT_FSYNC : POWERCUT_FDATASYNC,
					(Int)one->aio_fildes, 0, 0);
	}
}

static void promise(const struct vki_iocb *request, ULong number, UInt kind)
{
	static UInt oldest;
	UInt at = MAX_PROMISES;
	for (UInt i = 0; i < MAX_PROMISES; i++) {
		if (promises[i].request == 0 || promises[i].request == (Addr)request)
			at = i;
	}
	if (at == MAX_PROMISES) { /* the oldest is dropped: its completion is not seen, so it persists nothing */
		at = oldest;
		oldest = (oldest + 1) % MAX_PROMISES;
	}
	promises[at] = (Promise){(Addr)request, number, kind};
}

/* A request is over. */
static void keep_promise(ThreadId tid, ULong request, Long result)
{
	for (UInt i = 0; i < MAX_PROMISES; i++) {
		if (promises[i].request != request)
			continue;
		pc_sync_end(tid, promises[i].kind, promises[i].number, result < 0 ? (UInt)-result : 0);
		promises[i].request = 0;
	}
}

/* Submitted ones complete when their events are collected; the others never do. */
static void after_submit_of_syncs(ThreadId tid, const UWord *args, UWord submitted)
{
	UInt seen = 0;
	for (UWord i = 0; i < submitted && seen < syncs[tid].count; i++) {
		const struct vki_iocb *one = pc_aio_request(args[2], i);
		if (one != NULL && is_sync(one) && pc_file_of_fd(tid, (Int)one->aio_fildes, False) != 0)
			promise(one, syncs[tid].first + seen++, syncs[tid].kind);
	}
	syncs[tid].count = 0;
}

static void after_getevents(ThreadId tid, const UWord *args, SysRes result)
{
	const struct vki_io_event *events = (const struct vki_io_event *)args[3];
	for (UWord i = 0; !sr_isError(result) && i < sr_Res(result); i++)
		keep_promise(tid, events[i].obj, events[i].result);
}

/* The kernel writes to the page cache at once, and so on DAX and tmpfs: the data are there when the call returns. */
static void after_submit(ThreadId tid, const UWord *args, SysRes result)
{
	after_submit_of_syncs(tid, args, sr_isError(result) ? 0 : sr_Res(result));
	for (UWord i = 0; !sr_isError(result) && i < sr_Res(result); i++) {
		const struct vki_iocb *one = pc_aio_request(args[2], i);
		Write write = {.fd = one == NULL ? -1 : (Int)one->aio_fildes};
		if (one == NULL || !writes_file(one))
			continue;
		write.file = pc_file_of_fd(tid, write.fd, False);
		if (write.file == 0)
			continue;
		pc_lock();
		write.old_size = i < MAX_SIZES ? old_sizes[tid].sizes[i] : 0;
		ULong size =
				one->aio_lio_opcode == AIO_PWRITE ? one->aio_nbytes : pc_vector_size(one->aio_buf, one->aio_nbytes);
		store_range(tid, &write, (ULong)one->aio_offset, size, 0);
		if (is_open_with(write.fd, O_DSYNC_)) /* durable when its event is collected */
			promise(one, pc_sync(tid, POWERCUT_FDATASYNC, pc_location(write.file, (ULong)one->aio_offset), size),
					POWERCUT_FDATASYNC);
		pc_unlock();
	}
}

/* ---------------------------------------------------- what is not there */

/* Calls that Valgrind 3.19 does not know. It fails them with ENOSYS, which a program may not expect. */
static const struct {
	UInt number;
	const HChar *name;
} unknown_calls[] = {
		{__NR_remap_file_pages, "remap_file_pages"},
		{__NR_userfaultfd, "userfaultfd"},
		{434, "pidfd_open"},
		{437, "openat2"},
		{440, "process_madvise"},
};

static void tell_unknown(UInt number)
{
	static UInt told; /* a bit for each */
	for (UInt i = 0; i < sizeof unknown_calls / sizeof unknown_calls[0]; i++) {
		if (unknown_calls[i].number != number || (told >> i & 1) != 0)
			continue;
		told |= 1U << i;
		VG_(umsg)("powercut: ENOSYS from %s, a system call that Valgrind does not know\n", unknown_calls[i].name);
	}
}

/* ------------------------------------------------------------- dispatch */

void pc_before_syscall(ThreadId tid, UInt number, UWord *args, UInt count)
{
	Int fd = (Int)args[0];
	(void)count;
	writes[tid].writes_file = False;
	writes[tid].memory_of = 0;
	syncs[tid].count = 0;
	tell_unknown(number);
	pc_events_syscall_begins(tid);
	pc_loads_follow_others();
	pc_kernel_before_syscall(tid, number, args);
	pc_determinism_before_syscall(tid, number, args);
	pc_schedule_before_syscall(tid, number, args);
	if (pc_options.outputs)
		pc_outputs_before_syscall(tid, number, args);
	if (pc_options.races)
		pc_file_locks_before_syscall(tid, number, args);
	if (pc_options.reads)
		pc_reads_before_syscall(tid, number, args);
	switch (number) {
	case __NR_read:
	case __NR_pread64: before_read(tid, fd, args[1], args[2]); break;
	case __NR_readv:
	case __NR_preadv:
	case __NR_preadv2: before_readv(tid, fd, args[1], args[2]); break;
	case __NR_write:
	case __NR_writev: begin_write(tid, fd, -1, True, flags_of_write(fd, number, args), False); break;
	case __NR_pwrite64:
	case __NR_pwritev:
	case __NR_pwritev2: begin_write(tid, fd, (Long)args[3], True, flags_of_write(fd, number, args), False); break;
	case __NR_sendfile:
		begin_write(tid, fd, -1, True, flags_of_write(fd, number, args), !is_regular((Int)args[1]));
		break;
	case __NR_splice: /* arguments like those of copy_file_range */
	case __NR_copy_file_range:
		begin_write(tid, (Int)args[2], offset_at(args[3]), True, flags_of_write((Int)args[2], number, args),
				!is_regular(fd));
		break;
	case __NR_ftruncate: begin_resize(tid, fd, args[1]); break;
	case __NR_fallocate: begin_fallocate(tid, fd, args); break;
	case __NR_truncate: before_truncate(tid, args[0], args[1]); break;
	case __NR_madvise: before_madvise(tid, args); break;
	case __NR_ioctl:
		if (args[1] == FICLONE_ || args[1] == FICLONERANGE_)
			begin_write(tid, fd, -1, True, 0, True);
		break;
	case __NR_io_submit: before_submit(tid, args); break;
	case __NR_execve:
		pc_outside_end(tid);
		pc_limits_before_exec();
		pc_log_before_exec();
		pc_names_before_syscall(tid, number, args);
		break;
	case __NR_msync: before_msync(tid, args); break;
	case __NR_fsync: before_fsync(tid, POWERCUT_FSYNC, fd, 0, 0); break;
	case __NR_fdatasync: before_fsync(tid, POWERCUT_FDATASYNC, fd, 0, 0); break;
	case __NR_sync_file_range: before_fsync(tid, POWERCUT_SYNC_FILE_RANGE, fd, args[1], args[2]); break;
	case __NR_sync: before_sync_all(tid); break;
	case __NR_syncfs: before_syncfs(tid, fd); break;
	default: pc_names_before_syscall(tid, number, args); break;
	}
}

void pc_after_syscall(ThreadId tid, UInt number, UWord *args, UInt count, SysRes result)
{
	(void)count;
	result = pc_schedule_after_syscall(tid, number, result);
	pc_kernel_after_syscall(tid, number, args, result);
	switch (number) {
	case __NR_mmap: after_mmap(tid, args, result); break;
	case __NR_munmap: after_munmap(tid, args, result); break;
	case __NR_mremap: after_mremap(tid, args, result); break;
	case __NR_madvise: after_madvise(tid, args, result); break;
	case __NR_mprotect:
	case __NR_pkey_mprotect: after_mprotect(args, result); break;
	case __NR_shmat: after_shmat(tid, result); break;
	case __NR_sigaltstack: after_sigaltstack(tid, args, result); break;
	case __NR_io_submit: after_submit(tid, args, result); break;
	case __NR_io_getevents:
	case __NR_io_pgetevents: after_getevents(tid, args, result); break;
	case __NR_msync:
	case __NR_fsync:
	case __NR_fdatasync:
	case __NR_sync_file_range:
	case __NR_sync:
	case __NR_syncfs: end_syncs(tid, result); break;
	case __NR_wait4:
	case __NR_waitid: pc_threads_after_wait(tid, number, args, result); break;
	default:
		after_write(tid, number, args, result);
		pc_names_after_syscall(tid, number, args, result);
		break;
	}
	pc_determinism_after_syscall(tid, number, args, result);
	if (pc_options.outputs)
		pc_outputs_after_syscall(tid, number, args, result);
	if (pc_options.races)
		pc_file_locks_after_syscall(tid, number, args, result);
	if (pc_options.reads)
		pc_reads_after_syscall(tid, number, args, result);
	end_alone(&writes[tid]);
	pc_events_syscall_ends(tid);
}

void pc_syscalls_init(void)
{
	writes = pc_zeros(pc_most_threads(), sizeof(Write));
	syncs = pc_zeros(pc_most_threads(), sizeof(Syncs));
	old_sizes = pc_zeros(pc_most_threads(), sizeof(OldSizes));
}

/* -------------------------------------------- calls that must not block */

#define DEFINE_ALONE(name) \
	void __real_##name(ThreadId, void *, SyscallArgs *, void *, UWord *); \
	void __wrap_##name(ThreadId, void *, SyscallArgs *, void *, UWord *); \
	void __wrap_##name(ThreadId tid, void *layout, SyscallArgs *args, void *status, UWord *flags) \
	{ \
		__real_##name(tid, layout, args, status, flags); \
		if (writes[tid].alone) \
			*flags &= ~(UWord)SYSCALL_FLAG_MAY_BLOCK; \
	}
#define WRAP_ALONE(name) DEFINE_ALONE(name)
WRAP_ALONE(vgSysWrap_generic_sys_read_before)
WRAP_ALONE(vgSysWrap_generic_sys_pread64_before)
WRAP_ALONE(vgSysWrap_generic_sys_readv_before)
WRAP_ALONE(vgSysWrap_linux_sys_preadv_before)
WRAP_ALONE(vgSysWrap_linux_sys_preadv2_before)
WRAP_ALONE(vgSysWrap_generic_sys_write_before)
WRAP_ALONE(vgSysWrap_generic_sys_pwrite64_before)
WRAP_ALONE(vgSysWrap_generic_sys_writev_before)
WRAP_ALONE(vgSysWrap_generic_sys_ftruncate_before)
WRAP_ALONE(vgSysWrap_generic_sys_truncate_before)
WRAP_ALONE(vgSysWrap_linux_sys_pwritev_before)
WRAP_ALONE(vgSysWrap_linux_sys_pwritev2_before)
WRAP_ALONE(vgSysWrap_linux_sys_sendfile_before)
WRAP_ALONE(vgSysWrap_linux_sys_splice_before)
WRAP_ALONE(vgSysWrap_linux_sys_copy_file_range_before)
WRAP_ALONE(vgSysWrap_linux_sys_fallocate_before)
WRAP_ALONE(vgSysWrap_generic_sys_madvise_before)

/* io_uring writes from inside the kernel, unseen. Where it is missing, programs use ordinary calls. */
static void tell_missing(void)
{
	static Bool is_told;
	if (!is_told)
		VG_(umsg)("powercut: ENOSYS from io_uring_setup, as the recorder cannot see what io_uring writes\n");
	is_told = True;
}

#define DEFINE_MISSING(name) \
	void __wrap_##name(ThreadId, void *, SyscallArgs *, SyscallStatus *, UWord *); \
	void __wrap_##name(ThreadId tid, void *layout, SyscallArgs *args, SyscallStatus *status, UWord *flags) \
	{ \
		(void)tid; \
		(void)layout; \
		(void)args; \
		(void)flags; \
		tell_missing(); \
		status->what = SYSCALL_COMPLETE; \
		status->result = VG_(mk_SysRes_Error)(VKI_ENOSYS); \
	}
#define WRAP_MISSING(name) DEFINE_MISSING(name)
WRAP_MISSING(vgSysWrap_linux_sys_io_uring_setup_before)

/* ------------------------------------------------------ /proc/self/exe */

/*
 * For the kernel, /proc/self/exe is Valgrind. It is replaced by the target's program; the text goes to the target's
 * stack, below what is in use.
 */
static UWord path_of_itself(ThreadId tid)
{
	HChar path[PATH_SIZE];
	if (!pc_path_of_fd(VG_(cl_exec_fd), path))
		return 0;
	SizeT size = VG_(strlen)(path) + 1;
	Addr at = VG_(get_SP)(tid) - 256 - size;
	if (!VG_(am_is_valid_for_client)(at, size, VKI_PROT_READ | VKI_PROT_WRITE))
		return 0;
	VG_(memcpy)((void *)at, path, size);
	return at;
}

static Bool is_itself(UWord path)
{
	static const HChar self[] = "/proc/self/exe";
	return pc_is_readable(path, sizeof self) && VG_STREQ((const HChar *)path, self);
}

#define DEFINE_EXEC(name) \
	void __real_##name(ThreadId, void *, SyscallArgs *, void *, UWord *); \
	void __wrap_##name(ThreadId, void *, SyscallArgs *, void *, UWord *); \
	void __wrap_##name(ThreadId tid, void *layout, SyscallArgs *args, void *status, UWord *flags) \
	{ \
		UWord path = is_itself(args->arg1) ? path_of_itself(tid) : 0; \
		if (path != 0) \
			args->arg1 = path; \
		__real_##name(tid, layout, args, status, flags); \
	}
#define WRAP_EXEC(name) DEFINE_EXEC(name)
WRAP_EXEC(vgSysWrap_generic_sys_execve_before)
