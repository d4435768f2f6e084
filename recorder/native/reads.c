/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --reads=yes: which lines of the PM files the execution reads, each recorded once.
 *
 * The recorded lines are all that the execution can know of what the files held before. A byte that it stored itself
 * before reading it reveals nothing. In doubt, a line counts as read: one too many costs time, one too few hides a bug.
 * For each line that was stored to, a mask has the bytes stored. A forked child inherits all this, a new program starts
 * with nothing.
 */
#include "reads.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "core_api.h"
#include "files.h"
#include "kernel_abi.h"
#include "mappings.h"
#include "memory.h"
#include "options.h"
#include "paths.h"
#include "trace.h"

#define LINE ((ULong)POWERCUT_LINE_SIZE)
#define BLOCK_LINES 1024UL
#define BLOCK_SIZE (BLOCK_LINES * LINE)
#define TEXT_LIMIT 131072 /* the longest text that the kernel takes */

/* 64 KiB of a file. */
typedef struct {
	ULong reported[BLOCK_LINES / 64]; /* a bit for each line */
	ULong *stored; /* for each line a bit for each byte; NULL = nothing was stored */
} Block;

typedef struct {
	Block **blocks;
	ULong count;
} Lines;

static Lines *lines_of_file; /* by the file's id */

/* The range to record, which grows line by line. */
typedef struct {
	ThreadId tid;
	UInt file;
	ULong start;
	ULong end;
} Span;

/* ---------------------------------------------------------------- lines */

static Block *block_at(UInt file, ULong offset)
{
	Lines *lines = &lines_of_file[file];
	ULong number = offset / BLOCK_SIZE;
	if (number >= lines->count) {
		ULong count = number < 2 * lines->count ? 2 * lines->count : number + 1;
		lines->blocks = VG_(realloc)("pc.lines", lines->blocks, count * sizeof(Block *));
		VG_(memset)(lines->blocks + lines->count, 0, (count - lines->count) * sizeof(Block *));
		lines->count = count;
	}
	if (lines->blocks[number] == NULL)
		lines->blocks[number] = VG_(calloc)("pc.block", 1, sizeof(Block));
	return lines->blocks[number];
}

static inline Bool is_reported(const Block *block, ULong line)
{
	return (block->reported[line / 64] >> line % 64 & 1) != 0;
}

/* The bytes of [offset, end) in the line at start, a bit each. */
static inline ULong bytes_in_line(ULong start, ULong offset, ULong end)
{
	ULong mask = ~0ULL;
	if (offset > start)
		mask &= ~0ULL << (offset - start);
	if (end < start + LINE)
		mask &= ~0ULL >> (start + LINE - end);
	return mask;
}

static void report(const Span *span)
{
	if (span->end == span->start)
		return;
	pc_lock();
	struct powercut_read *record = pc_append(POWERCUT_READ,
			pc_file_has_more_names(span->file) ? POWERCUT_READ_NAMES : 0, span->tid, sizeof *record);
	record->location = pc_location(span->file, span->start);
	record->size = span->end - span->start;
	pc_commit();
	pc_unlock();
}

static void read_line(Span *span, ULong start, ULong bytes)
{
	Block *block = block_at(span->file, start);
	ULong line = start % BLOCK_SIZE / LINE;
	if (is_reported(block, line) || (block->stored != NULL && (bytes & ~block->stored[line]) == 0))
		return;
	block->reported[line / 64] |= 1ULL << line % 64;
	if (span->end != start) {
		report(span);
		span->start = start;
	}
	span->end = start + LINE;
}

void pc_read(ThreadId tid, UInt file, ULong offset, ULong size)
{
	ULong end = offset + size;
	Span span = {tid, file, 0, 0};
	if (!pc_options.reads || file == 0)
		return;
	for (ULong start = offset & ~(LINE - 1); start < end; start += LINE)
		read_line(&span, start, bytes_in_line(start, offset, end));
	report(&span);
}

void pc_overwritten(UInt file, ULong offset, ULong size)
{
	ULong end = offset + size;
	for (ULong start = offset & ~(LINE - 1); start < end; start += LINE) {
		Block *block = block_at(file, start);
		ULong line = start % BLOCK_SIZE / LINE;
		if (is_reported(block, line))
			continue;
		if (block->stored == NULL)
			block->stored = VG_(calloc)("pc.stored", BLOCK_LINES, sizeof(ULong));
		block->stored[line] |= bytes_in_line(start, offset, end);
	}
}

/* ---------------------------------------------------------------- memory */

static void read_memory(ThreadId tid, Addr address, SizeT size)
{
	Addr end = address + size;
	for (const Mapping *mapping = pc_mapping_from(address); mapping != NULL && mapping->start < end;
			mapping = pc_mapping_from(address)) {
		Addr from = address > mapping->start ? address : mapping->start;
		Addr to = end < mapping->end ? end : mapping->end;
		pc_read(tid, mapping->file, mapping->offset + (from - mapping->start), to - from);
		address = to;
		if (address >= end)
			return;
	}
}

void pc_on_read(Addr address, UWord size)
{
	read_memory(VG_(get_running_tid)(), address, size);
}

void pc_kernel_read(ThreadId tid, Addr address, SizeT size)
{
	if (pc_options.reads)
		read_memory(tid, address, size);
}

/* Its end is not looked for, since that may be beyond the end of the file. */
static void on_kernel_text(CorePart part, ThreadId tid, const HChar *what, Addr address)
{
	(void)part;
	(void)what;
	read_memory(tid, address, TEXT_LIMIT);
}

/* ----------------------------------------------------------------- files */

static void read_from(ThreadId tid, Int fd, ULong offset)
{
	UInt file = pc_file_of_fd(tid, fd, False);
	ULong end = file == 0 ? 0 : pc_size_of_fd(fd);
	if (end > offset)
		pc_read(tid, file, offset, end - offset);
}

void pc_read_all_of(ThreadId tid, Int fd)
{
	if (pc_options.reads)
		read_from(tid, fd, 0);
}

static void read_program(ThreadId tid, Int dirfd, UWord path)
{
	HChar text[PATH_SIZE];
	if (!pc_copy_text(path, text))
		return;
	SysRes opened =
			VG_(do_syscall)(__NR_openat, (UWord)(Word)dirfd, (UWord)text, O_PATH_ | VKI_O_CLOEXEC, 0, 0, 0, 0, 0);
	if (sr_isError(opened))
		return;
	pc_read_all_of(tid, (Int)sr_Res(opened));
	VG_(close)((Int)sr_Res(opened));
}

/* Calls that copy, shift or compare inside the kernel. A question whether it is a terminal reads nothing. */
static void read_by_ioctl(ThreadId tid, const UWord *args)
{
	if (args[1] == TCGETS_)
		return;
	pc_read_all_of(tid, (Int)args[0]);
	if (args[1] == FICLONE_)
		pc_read_all_of(tid, (Int)args[2]);
	else if (args[1] == FICLONERANGE_ && pc_is_readable(args[2], sizeof(Long)))
		pc_read_all_of(tid, (Int)(*(const Long *)args[2]));
}

static void read_by_requests(ThreadId tid, const UWord *args)
{
	for (UWord i = 0; i < args[1]; i++) {
		const struct vki_iocb *request = pc_aio_request(args[2], i);
		if (request == NULL)
			return;
		if (request->aio_lio_opcode == AIO_PREAD || request->aio_lio_opcode == AIO_PREADV)
			pc_read_all_of(tid, (Int)request->aio_fildes);
	}
}

void pc_reads_before_syscall(ThreadId tid, UInt number, const UWord *args)
{
	switch (number) {
	case __NR_sendfile: pc_read_all_of(tid, (Int)args[1]); break;
	case __NR_splice:
	case __NR_copy_file_range: pc_read_all_of(tid, (Int)args[0]); break;
	case __NR_fallocate:
		if ((args[1] & (FALLOC_COLLAPSE_RANGE | FALLOC_INSERT_RANGE)) != 0)
			pc_read_all_of(tid, (Int)args[0]);
		break;
	case __NR_ioctl: read_by_ioctl(tid, args); break;
	case __NR_io_submit: read_by_requests(tid, args); break;
	case __NR_execve: read_program(tid, AT_FDCWD_, args[0]); break;
	case __NR_execveat:
		pc_read_all_of(tid, (Int)args[0]); /* with an empty path */
		read_program(tid, (Int)args[0], args[1]);
		break;
	default: break;
	}
}

static void after_read(ThreadId tid, Int fd, Long position, ULong size)
{
	UInt file = pc_file_of_fd(tid, fd, False);
	if (file != 0)
		pc_read(tid, file, position >= 0 ? (ULong)position : (ULong)VG_(lseek)(fd, 0, VKI_SEEK_CUR) - size, size);
}

/* A private mapping shows what the file holds at the time of the access. Code is fetched without a load. */
static void after_mmap(ThreadId tid, const UWord *args)
{
	if ((args[3] & VKI_MAP_ANONYMOUS) == 0 && ((args[3] & VKI_MAP_PRIVATE) != 0 || (args[2] & VKI_PROT_EXEC) != 0))
		read_from(tid, (Int)args[4], args[5]);
}

void pc_reads_after_syscall(ThreadId tid, UInt number, const UWord *args, SysRes result)
{
	if (sr_isError(result))
		return;
	switch (number) {
	case __NR_read:
	case __NR_readv: after_read(tid, (Int)args[0], -1, sr_Res(result)); break;
	case __NR_pread64:
	case __NR_preadv:
	case __NR_preadv2: after_read(tid, (Int)args[0], (Long)args[3], sr_Res(result)); break;
	case __NR_mmap: after_mmap(tid, args); break;
	case __NR_mprotect:
		if ((args[2] & VKI_PROT_EXEC) != 0)
			read_memory(tid, args[0], args[1]);
		break;
	default: break;
	}
}

void pc_reads_init(void)
{
	if (!pc_options.reads)
		return;
	lines_of_file = VG_(calloc)("pc.lines", POWERCUT_MAX_FILES + 1, sizeof(Lines));
	VG_(track_pre_mem_read_asciiz)(on_kernel_text);
}
