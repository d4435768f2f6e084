/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the recorder's parts know of one another. One section for each C file.
 */
#ifndef POWERCUT_RECORDER_H
#define POWERCUT_RECORDER_H

#define VKI_POSIX_OPTIONS 1
#include "pub_tool_basics.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_gdbserver.h"
#include "pub_tool_guest.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_libcsignal.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"

#include "core_api.h"

#include "powercut_trace.h"

#define PATH_SIZE 4096

/* Index into the table of sites; a record carries the id that pc_site_id gives. */
typedef UInt SiteIndex;

/* ------------------------------------------------------------------ main.c */

typedef struct {
	const HChar *pm_dir; /* canonical after start, no slash at the end */
	const HChar *trace_dir;
	SizeT chunk_size;
	UInt window;
	Bool record;
	Bool outputs;
	Bool reads;
	Bool executed;
	Bool loader; /* failure points in the dynamic loader */
	Bool stacks_all;
	Bool every_store; /* --granularity=store */
	Bool fixed_time; /* --deterministic=yes or time */
	Bool fixed_random; /* --deterministic=yes or random */
	Bool gdbserver; /* --on-stop=gdbserver */
	const HChar *leaves;
	const HChar *open_files; /* of a program that was started by exec: its limits, "SOFT:HARD" */
	UInt occurrence;
	XArray *exclude; /* of const HChar*, patterns with * and ? */
	XArray *begin;
	XArray *end;
} Options;
extern Options pc_options;

/* True when a function's name (with or without its parameters) matches one of the patterns. */
Bool pc_matches(XArray *patterns, const HChar *function);

/* ----------------------------------------------------------------- trace.c */

extern struct powercut_control *pc_control;

void pc_trace_open(void);
/* Everything between is one step for other processes. May be nested. */
void pc_lock(void);
void pc_unlock(void);
/* There is, or was, another process: code is to be instrumented with pc_store_begins and pc_store_ends. */
extern Bool pc_has_company;
/* Gives room for one record, header filled in; the rest is zero. Publish it with pc_commit. Lock held. */
void *pc_append(UInt kind, UInt flags, ThreadId tid, SizeT length);
void pc_commit(void);
/* Ends the whole execution with a text that names cause and remedy. */
void pc_give_up(const HChar *format, ...) PRINTF_CHECK(1, 2);
/* Puts a text into control; the first one stays. */
void pc_set_error(UInt kind, const HChar *text);
/* SIGKILL to every process of the execution, ourselves last. */
void pc_kill_everything(void);
void pc_register_process(UInt pid);
/* True when no other process of the execution is left. */
Bool pc_unregister_process(UInt pid);
void pc_trace_before_fork(void);
void pc_trace_after_fork_in_child(void);
/* Appends two texts and their lengths: for records with paths. Rounds up to 8. */
static inline SizeT pc_round8(SizeT n)
{
	return (n + 7) & ~(SizeT)7;
}

/* -------------------------------------------------------------- hashmap.c */

/* From 64-bit keys to 32-bit values; key 0 is not allowed. */
typedef struct {
	ULong *keys;
	UInt *values;
	SizeT capacity;
	SizeT count;
} HashMap;
#define HASHMAP_ABSENT 0xffffffffU
UInt pc_map_get(const HashMap *map, ULong key);
void pc_map_put(HashMap *map, ULong key, UInt value);
void pc_map_clear(HashMap *map);

/* ----------------------------------------------------------------- sites.c */

typedef struct {
	Addr address;
	UInt id; /* in the trace; 0 = not defined there yet */
	UInt module; /* index into the modules, 0 = none */
	ULong offset; /* in the module */
	Bool resolved;
	Bool excluded; /* known once the site is defined */
	Bool is_lock; /* a locked instruction, which has a fence's effect */
} Site;

/* Whose code it is. */
typedef enum { OF_THE_TARGET, OF_THE_C_LIBRARY, OF_THE_LOADER } CodeOwner;

SiteIndex pc_site_of(Addr address);
const Site *pc_site(SiteIndex index);
/* The site's id in the trace; defines it there first when it is new. Lock held. */
UInt pc_site_id(SiteIndex index);
/* Hash over one frame, for failure point ids. */
ULong pc_site_hash(ULong hash, SiteIndex index);
Bool pc_site_excluded(SiteIndex index);
CodeOwner pc_site_owner(SiteIndex index);
void pc_site_is_lock(SiteIndex index);
/* The path of a module, by a site's index of it; "" for code outside any file. */
const HChar *pc_module_path(UInt index);
/* "function (file:line)" for a message. */
void pc_describe(Addr address, HChar *text, SizeT size);
/* Code went away: its addresses may mean something else from now on. */
void pc_sites_forget(Addr start, SizeT size);

/* ---------------------------------------------------------------- stacks.c */

/* One call that has not returned. */
typedef struct {
	Addr sp; /* where the return address lies */
	Addr return_address;
	ULong hash; /* over this and all outer entries */
} ShadowEntry;

/* What the shadow registers of a thread hold for us (Valgrind keeps a second register file for tools). */
typedef struct {
	ShadowEntry *top;
	ShadowEntry *limit; /* a push at or above it goes the slow way */
} ShadowStack;
#define SHADOW_OFFSET_TOP (sizeof(VexGuestAMD64State))
#define SHADOW_OFFSET_LIMIT (sizeof(VexGuestAMD64State) + sizeof(ShadowEntry *))
/* A frame of more than this many bytes is looked at by the slow way. */
#define SHADOW_FAR 0x10000UL
#define SHADOW_MULTIPLIER 0x9E3779B97F4A7C15ULL

typedef struct {
	ULong failure_point; /* id */
	UInt id; /* in the trace; 0 = not defined there yet */
	UInt depth;
	SiteIndex *sites; /* innermost first */
	Bool excluded;
	Int leaf; /* index in the file of leaves, -1 = not there */
} Stack;

void pc_stacks_thread_starts(ThreadId tid);
void pc_stacks_thread_ends(ThreadId tid);
/*
 * The stack pointer was loaded with something new, neither the old one plus something nor where the innermost call
 * began.
 */
void pc_stack_jumps(VexGuestAMD64State *guest, Addr old, Addr sp);
/* The slow way of a push, of a return and of a jump: the stack pointer went up past entries, or far away. */
void pc_shadow_fix(VexGuestAMD64State *guest, Addr sp);
/* The stack of an instruction of the running thread. */
Stack *pc_stack_in_helper(const VexGuestAMD64State *guest, SiteIndex site);
/* The same for a thread inside a system call. */
Stack *pc_stack_in_syscall(ThreadId tid, SiteIndex site);
/* Its id in the trace; defines it there first when it is new. Lock held. */
UInt pc_stack_id(Stack *stack);
void pc_stacks_forget(void);
void pc_stacks_signal_delivered(ThreadId tid, Int signal, Bool alternate_stack);
void pc_stacks_signal_returned(ThreadId tid, Int signal);

/* ---------------------------------------------------------------- leaves.c */

void pc_leaves_open(void);
/* Index of the leaf, -1 when it is not in the file. */
Int pc_leaf_find(ULong failure_point);
/* A failure point of the file was reached: stops here if the leaf is still unvisited. Lock held. */
void pc_leaf_reached(ThreadId tid, Stack *stack, SiteIndex site);

/* ---------------------------------------------------------------- events.c */

/* Work of the running thread that a fence could order: read by inline code. */
extern UInt pc_work;
void pc_events_thread_runs(ThreadId tid);
void pc_events_init(void);

/* Called from instrumented code. */
void pc_on_store(Addr address, UWord what);
/* The same with the call stack (--stacks=all). */
void pc_on_store_with_stack(const VexGuestAMD64State *guest, Addr address, UWord what);
/* Around a store and its record: one step for other processes. */
void pc_store_begins(Addr address, UWord size);
void pc_store_ends(void);
/* In front of the store: it is a candidate (--granularity=store). */
void pc_before_store(VexGuestAMD64State *guest, Addr address, UWord size, UWord site);
/* An element of a string instruction; left: how many are still to come. */
void pc_on_string_store(const VexGuestAMD64State *guest, Addr address, UWord what, UWord left);
/* maskmovdqu, maskmovq: its mask, in front of all else, of which the highest bit of each byte counts. */
void pc_on_mask(ULong low, ULong high);
void pc_before_masked_store(VexGuestAMD64State *guest, Addr address, UWord size, UWord site);
void pc_on_masked_store(const VexGuestAMD64State *guest, Addr address, UWord what);
void pc_on_flush(VexGuestAMD64State *guest, Addr address, UWord kind, UWord site);
void pc_on_fence(VexGuestAMD64State *guest, UWord kind, UWord site);
void pc_on_mark(UWord kind, UWord site);
/* pc_on_store's what, from the lowest bit on: site 32, flags 8, size in bytes 24 */
#define STORE_FLAGS_SHIFT 32
#define STORE_SIZE_SHIFT 40

/* Called around system calls. */
void pc_kernel_store(ThreadId tid, Addr address, SizeT size);
void pc_before_kernel_store(ThreadId tid, Addr address, SizeT size);
/* The kernel is about to store what is told, when nobody can look any more. */
void pc_kernel_will_store(ThreadId tid, Addr address, const UChar *data, SizeT size);
/* By way of another process's mapping. */
void pc_remote_store(ThreadId tid, UInt file, ULong offset, const UChar *data, SizeT size);
/* A signal is delivered: its frame ends here, in memory; then what Valgrind wrote of it. */
void pc_signal_frame_below(ThreadId tid, Addr end);
void pc_signal_frame(ThreadId tid, Addr address, SizeT size);
/* A call that persists is about to run; gives its number. */
ULong pc_sync(ThreadId tid, UInt kind, ULong location, ULong size);
/* It is over; error 0 = success. */
void pc_sync_end(ThreadId tid, UInt kind, ULong number, UInt error);
/* Whether memory may hold what no record tells yet, or the other way round. */
Bool pc_events_in_doubt(void);
/*
 * A write to a PM file of which fd is an open descriptor; the data are read back from the file. Flags: SYNCHRONOUS,
 * when it is durable already, or 0.
 */
void pc_file_store(ThreadId tid, Int fd, UInt file, ULong offset, ULong size, UInt flags);
/*
 * Such a store makes the file longer, which is recorded first: its own record's beginning goes in front of that, since
 * that is where the failure point is (--granularity=store).
 */
void pc_file_store_grows(ThreadId tid, Int fd, UInt file, ULong offset, UInt flags);
/* The candidate in front of such a store (--granularity=store). */
void pc_before_file_store(ThreadId tid);
/* In front of and behind every system call. */
void pc_events_syscall_begins(ThreadId tid);
void pc_events_syscall_ends(ThreadId tid);
SiteIndex pc_syscall_site(ThreadId tid);
/* The call under way may store into PM, which is recorded when it is over. */
void pc_events_call_stores(ThreadId tid);
/* A call handed in may store into PM at any time. */
void pc_events_stores_at_any_time(void);
void pc_events_thread_ends(ThreadId tid);
/* Whether a call that may store into PM did not come to its end. */
Bool pc_events_unfinished(void);

/* ----------------------------------------------------------------- check.c */

/* In front of a fence: now and then, what some pages hold is recorded. */
void pc_check_at_fence(ThreadId tid);
/* A store was recorded that the kernel is still to make: no check any more. */
void pc_check_is_early(void);

/* -------------------------------------------------------------------- pm.c */

typedef struct {
	Addr start;
	Addr end;
	UInt file;
	ULong offset; /* in the file, of start */
} Mapping;

/* The mapping with this place in their order, or NULL. */
const Mapping *pc_mapping_at(Int index);

/* Around all PM mappings; length 0 = there is none. Each thread has a copy, in reach of inline code. */
typedef struct {
	Addr start;
	ULong length;
} Hull;
#define SHADOW_OFFSET_HULL (SHADOW_OFFSET_TOP + sizeof(ShadowStack))
/* The thread goes on with the target's code: its copy is renewed. */
void pc_hull_to(ThreadId tid);
/* A stack lies in PM, so stores by way of the stack pointer are looked at as well. */
extern Bool pc_stack_in_pm;
/* A stack pointer came from elsewhere: perhaps the stack lies in PM. */
void pc_stack_is_at(Addr sp);
/* The thread's alternate stack for signals; size 0 = none. */
void pc_alternate_stack(ThreadId tid, Addr start, SizeT size);
Addr pc_end_of_alternate_stack(ThreadId tid);

void pc_pm_init(void);
/* The first mapping that ends above address, or NULL. */
const Mapping *pc_mapping_from(Addr address);
void pc_mapping_add(ThreadId tid, Addr start, SizeT size, UInt file, ULong offset);
void pc_mapping_remove(ThreadId tid, Addr start, SizeT size);
/* Copies what of [start, start+size) is mapped PM, at most limit pieces; returns how many. */
Int pc_mappings_in(Addr start, SizeT size, Mapping *pieces, Int limit);

/* The file's id when fd is a regular file below --pm-dir, else 0. Defines it when it is new. */
UInt pc_file_of_fd(ThreadId tid, Int fd, Bool is_new);
/* The same when the file's status is known already; size is the one to define it with. */
UInt pc_file_of(ThreadId tid, Int fd, const struct vg_stat *status, ULong size, Bool is_new);
UInt pc_file_known(ULong device, ULong inode);
UInt pc_file_define(ThreadId tid, const struct vg_stat *status, const HChar *relative, ULong size, UInt flags);
void pc_file_deleted(ULong device, ULong inode);
/* Files are defined and directories renamed in the trace: without records, too, when reads name files. */
static inline Bool pc_records_files(void)
{
	return pc_options.record || pc_options.reads;
}
/* The file has, or once had, more than one name. */
void pc_file_gets_name(UInt file);
Bool pc_file_has_more_names(UInt file);
/* Its only name went out of --pm-dir: for readers it is gone. */
void pc_file_left(UInt file);
Bool pc_file_has_left(UInt file);
/* Path below --pm-dir of an absolute one; NULL when it is not below. "" is the directory itself. */
const HChar *pc_relative(const HChar *absolute);
/* The absolute, canonical path of (dirfd, path), of which only the last part may be missing or a link. */
Bool pc_absolute(Int dirfd, const HChar *path, HChar *result);
Bool pc_path_of_fd(Int fd, HChar *result);
ULong pc_pm_device(void);

/* -------------------------------------------------------------- syscalls.c */

void pc_before_syscall(ThreadId tid, UInt number, UWord *args, UInt count);
void pc_after_syscall(ThreadId tid, UInt number, UWord *args, UInt count, SysRes result);
void pc_syscalls_init(void);
/* Bytes of a vector of the target's; 0 when it cannot be read. */
ULong pc_vector_size(UWord vectors, UWord count);
void pc_append_resize(ThreadId tid, UInt file, ULong size);
ULong pc_size_of_fd(Int fd);

/* ---------------------------------------------------------------- kernel.c */

void pc_kernel_init(void);
void pc_kernel_before_syscall(ThreadId tid, UInt number, const UWord *args);
void pc_kernel_after_syscall(ThreadId tid, UInt number, const UWord *args, SysRes result);
void pc_kernel_thread_created(ThreadId creator, ThreadId child);
void pc_kernel_thread_begins(ThreadId tid);
void pc_kernel_thread_ends(ThreadId tid);
void pc_kernel_after_fork_in_child(ThreadId tid);
/* A file of elsewhere came below --pm-dir: whoever has mapped it has PM now. */
void pc_file_adopted(ThreadId tid);
/* Finds the shared mappings of PM files that were made before these were PM files. */
void pc_mappings_of_before(ThreadId tid);
/* The process whose memory the open file is, 0 = none. */
UInt pc_process_of_memory(Int fd);
/* A call wrote into it. */
void pc_memory_written(ThreadId tid, UInt pid, Addr address, SizeT size);

/* --------------------------------------------------------------- outputs.c */

void pc_outputs_init(void);
void pc_outputs_before_syscall(ThreadId tid, UInt number, const UWord *args);
void pc_outputs_after_syscall(ThreadId tid, UInt number, const UWord *args, SysRes result);

/* ----------------------------------------------------------------- reads.c */

void pc_reads_init(void);
/* Called from instrumented code, in front of a load. */
void pc_on_read(Addr address, UWord size);
/* A range of a PM file, whose beginning and end lie where they may. */
void pc_read(ThreadId tid, UInt file, ULong offset, ULong size);
/* All of the PM file of which fd is an open descriptor, if it is one. */
void pc_read_all_of(ThreadId tid, Int fd);
/* The execution filled these bytes itself: what they were before cannot be read there any more. */
void pc_overwritten(UInt file, ULong offset, ULong size);
void pc_reads_before_syscall(ThreadId tid, UInt number, const UWord *args);
void pc_reads_after_syscall(ThreadId tid, UInt number, const UWord *args, SysRes result);

/* --------------------------------------------------------------- outside.c */

/* A call writes to an open file that is no PM file. */
void pc_outside_write(Int fd);
/* A file that is no PM file is made durable. */
void pc_outside_sync(ThreadId tid, const struct vg_stat *status);
/* An msync of an address in no PM file. */
void pc_outside_msync(ThreadId tid, Addr address);
/* The process is about to end, or to run another program. */
void pc_outside_end(ThreadId tid);
void pc_outside_after_fork_in_child(void);

/* ----------------------------------------------------------------- names.c */

void pc_names_before_syscall(ThreadId tid, UInt number, const UWord *args);
void pc_names_after_syscall(ThreadId tid, UInt number, const UWord *args, SysRes result);
void pc_names_init(void);
/* A path of the target's, whose pointer may point anywhere; at most PATH_SIZE bytes. False when there is none. */
Bool pc_copy_text(UWord from, HChar *to);

/* ----------------------------------------------------------- attributes.c */

/*
 * Records what an open file's attributes are now; file 0: what lies at the path below --pm-dir, which is no regular
 * file.
 */
void pc_attributes_append(ThreadId tid, Int fd, UInt file, const HChar *path);
/* The same of what lies at an absolute path, unless that is a file nobody knows. */
void pc_attributes_at(ThreadId tid, const HChar *absolute, const HChar *relative);
/* The same of an open file, if it lies below --pm-dir. */
void pc_attributes_changed(ThreadId tid, Int fd);
/* A write or a truncation takes set-user-id and set-group-id bits away, from who has no right to keep them. */
void pc_attributes_after_write(ThreadId tid, Int fd, UInt file, UInt old_mode);
/*
 * A call is about to change attributes: a descriptor of what it changes, to be closed; -1 when that is not on
 * --pm-dir's device.
 */
Int pc_attributes_target(UInt number, const UWord *args);

/* --------------------------------------------------------------- threads.c */

void pc_threads_init(void);
UInt pc_thread_id(ThreadId tid);
void pc_threads_end_process(Int status);
void pc_on_join_entered(UWord pthread);
/* Writes the join records that are due in front of this thread's next record. */
extern UInt pc_joins_waiting;
void pc_joins_due(ThreadId tid);

/* ------------------------------------------------------------- executed.c */

void pc_executed_init(void);
/* Code is about to be executed for the first time; begins: the entry of a function of --begin is in it. */
void pc_executed(const VexGuestExtents *extents, Bool begins);
/* From here on failure points count: what runs again is to be told of again. */
void pc_executed_begins(void);

/* --------------------------------------------------------------- limits.c */

void pc_limits_init(void);
void pc_limits_before_exec(void);

/* ----------------------------------------------------------- instrument.c */

IRSB *pc_instrument(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout, const VexGuestExtents *extents,
		const VexArchInfo *host, IRType guest_word, IRType host_word);
/* Used by the decoder, too. */
IRDirty *pc_dirty_with_guest(const HChar *name, void *function, IRExpr **args);

/* ----------------------------------------------------------- determinism.c */

void pc_determinism_init(void);
void pc_determinism_first_instruction(void);
void pc_determinism_after_syscall(ThreadId tid, UInt number, UWord *args, SysRes result);
void pc_determinism_before_syscall(ThreadId tid, UInt number, UWord *args);

#endif
