/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stores, flushes, fences and syncs, and which of them are failure points. */
#ifndef RECORDER_EVENTS_H
#define RECORDER_EVENTS_H

#include "pub_tool_basics.h"
#include "libvex_guest_amd64.h"

#include "sites.h"

/* The running thread has PM work that a fence could order. Inlined code reads it. */
extern UInt pc_work;
/*
 * Bits of pc_control->pending. What was output, and names and sizes, make no locked instruction a candidate: nothing
 * says that the instruction has to do with PM, and programs that answer or allocate memory run many of them.
 */
enum { PC_PENDING_STORE = 1, PC_PENDING_OUTPUT = 2, PC_PENDING_METADATA = 4 };
void pc_events_init(void);
/* Output after a PM store makes the next candidate a failure point. Says whether there was one. Lock held. */
Bool pc_acknowledges(void);
void pc_events_thread_runs(ThreadId tid);
void pc_events_thread_ends(ThreadId tid);
/* A call that may store into PM did not return, or may store at any time. */
Bool pc_events_unfinished(void);
/* Memory and records may differ just now. */
Bool pc_events_in_doubt(void);

/* ------------------------------------------- called from instrumented code */

void pc_on_store(Addr address, UWord what);
/* The same with the call stack (pc_stacks_of_all). */
void pc_on_store_with_stack(const VexGuestAMD64State *guest, Addr address, UWord what);
/* Around a store and its record: one step for other processes. */
void pc_store_begins(Addr address, UWord size);
void pc_store_ends(void);
/* Before the store: it is a candidate (--granularity=store). */
void pc_before_store(VexGuestAMD64State *guest, Addr address, UWord size, UWord site);
/* An element of a string instruction; left: how many are still to come. */
void pc_on_string_store(const VexGuestAMD64State *guest, Addr address, UWord what, UWord left);
/* The mask of a maskmovdqu or maskmovq, before anything else of it. The highest bit of each byte counts. */
void pc_on_mask(ULong low, ULong high);
void pc_before_masked_store(VexGuestAMD64State *guest, Addr address, UWord size, UWord site);
void pc_on_masked_store(const VexGuestAMD64State *guest, Addr address, UWord what);
void pc_on_flush(VexGuestAMD64State *guest, Addr address, UWord kind, UWord site);
void pc_on_fence(VexGuestAMD64State *guest, UWord kind, UWord site);
void pc_on_mark(UWord kind, UWord site);
/* The same where the target asks for it. */
void pc_mark(ThreadId tid, UWord kind);
/* pc_on_store's what, from the lowest bit on: site 32 bits, flags 8, size in bytes 24. */
#define STORE_FLAGS_SHIFT 32
#define STORE_SIZE_SHIFT 40

/* -------------------------------------------- called around system calls */

void pc_events_syscall_begins(ThreadId tid);
void pc_events_syscall_ends(ThreadId tid);
SiteIndex pc_syscall_site(ThreadId tid);
/* The call may store into PM, which is recorded when it returns. */
void pc_events_call_stores(ThreadId tid);
/* A request that was submitted may store into PM at any time. */
void pc_events_stores_at_any_time(void);

void pc_before_kernel_store(ThreadId tid, Addr address, SizeT size);
void pc_kernel_store(ThreadId tid, Addr address, SizeT size);
/* The kernel will store these data when nobody can look any more. */
void pc_kernel_will_store(ThreadId tid, Addr address, const UChar *data, SizeT size);
/* Through another process's mapping. */
void pc_remote_store(ThreadId tid, UInt file, ULong offset, const UChar *data, SizeT size);

/* A signal is delivered: its frame ends here, in memory. */
void pc_signal_frame_below(ThreadId tid, Addr end);
/* What Valgrind wrote of that frame. */
void pc_signal_frame(ThreadId tid, Addr address, SizeT size);

/*
 * Before a write to a PM file. It is a candidate if it is SYNCHRONOUS, for then it persists as fsync does, and with
 * --granularity=store in any case.
 */
void pc_before_file_store(ThreadId tid, UInt flags);
/*
 * A write to a PM file that is open as fd. The data are read back from the file. Flags: SYNCHRONOUS when it is durable
 * already, or 0.
 */
void pc_file_store(ThreadId tid, Int fd, UInt file, ULong offset, ULong size, UInt flags);
/* A range of a PM file. */
typedef struct {
	UInt file;
	ULong from;
	ULong end;
} FileRange;
/* Such a call made these ranges read as zero; there is one at least. */
void pc_file_zeroed(ThreadId tid, const FileRange *ranges, UInt count, UInt flags);
/*
 * Such a write makes the file longer, which is recorded first. The beginning of its own record comes before that, since
 * the failure point is there, if it is a candidate.
 */
void pc_file_store_grows(ThreadId tid, Int fd, UInt file, ULong offset, UInt flags);

/* A call that persists is about to run; returns its number. */
ULong pc_sync(ThreadId tid, UInt kind, ULong location, ULong size);
/* It returned; error 0 = success. */
void pc_sync_end(ThreadId tid, UInt kind, ULong number, UInt error);
/*
 * A call is about to change a name below --pm-dir, or a size without a store: a candidate. It counts as a store does,
 * unless it only adds, and nothing was stored yet: then there is nothing to lose. The paths are relative, and NULL
 * outside --pm-dir.
 */
void pc_metadata(ThreadId tid, UInt kind, Bool adds, const HChar *path, const HChar *other);

#endif
