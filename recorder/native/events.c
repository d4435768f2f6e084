/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns what instrumented code and system calls do into records, and decides what is a failure point. */
#include "events.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"
#include "libvex_guest_amd64.h"

#include "check.h"
#include "core_api.h"
#include "executed.h"
#include "leaves.h"
#include "loads.h"
#include "mappings.h"
#include "memory.h"
#include "options.h"
#include "paths.h"
#include "reads.h"
#include "schedule.h"
#include "sites.h"
#include "slots.h"
#include "stacks.h"
#include "trace.h"

/*
 * Set by a PM store or flush of the running thread, cleared by its fence. A locked instruction is worth a record only
 * while it could order something. There is one variable, for the running thread, so that inlined code finds it at a
 * fixed address.
 */
UInt pc_work;

static UInt *work_of_thread;
static ThreadId running;

/* The stack of a store that is a candidate, from pc_before_store to pc_on_store. */
static UInt store_stack;

/* The last element that a string instruction stored, by thread. */
typedef struct {
	SiteIndex site;
	Addr address;
	UWord left;
} Element;

static Element *elements;

/* The signal frame that a thread got just now. */
typedef struct {
	Addr end;
	Addr rest; /* from here to its end it is not recorded yet; 0 = all of it is */
} Frame;

static Frame *frames; /* by thread */
static void store_rest_of_frame(ThreadId tid);

/* Between pc_store_begins and pc_store_ends, with the lock held. */
static Bool store_under_way;

/* The bytes that the current masked store stores, one bit each. */
static UInt store_mask;

/* A system call that may store, as a candidate: one for all its stores. */
typedef struct {
	Bool seen; /* the candidate came */
	Bool taken; /* it was a failure point, and no store followed yet */
	Bool may_count; /* it is a failure point if something is pending when its store is recorded */
	UInt stack; /* for the first store's record */
	Bool stores; /* it may store into PM */
} CallCandidate;

static CallCandidate *calls; /* by thread */
static Bool unfinished;
static Bool at_any_time;

void pc_events_init(void)
{
	work_of_thread = pc_zeros(pc_most_threads(), sizeof(UInt));
	calls = pc_zeros(pc_most_threads(), sizeof(CallCandidate));
	elements = pc_zeros(pc_most_threads(), sizeof(Element));
	frames = pc_zeros(pc_most_threads(), sizeof(Frame));
}

void pc_events_thread_runs(ThreadId tid)
{
	pc_store_ends(); /* one that faulted has not */
	if (UNLIKELY(frames[tid].rest != 0))
		store_rest_of_frame(tid);
	if (tid == running)
		return;
	work_of_thread[running] = pc_work;
	running = tid;
	pc_work = work_of_thread[tid];
}

static void has_work(ThreadId tid)
{
	if (tid == running)
		pc_work = 1;
	else
		work_of_thread[tid] = 1;
}

/* ------------------------------------------------------- failure points */

/* Counts the failure point if this candidate is one, and stops before it if it is an unvisited leaf. */
static void take(ThreadId tid, Stack *stack, SiteIndex site)
{
	if (pc_options.leaves != NULL ? stack->leaf < 0 : stack->excluded)
		return;
	pc_control->pending = 0;
	pc_control->failure_points++;
	if (stack->leaf >= 0)
		pc_leaf_reached(tid, stack, site);
}

/* Candidates call this before they take effect. Returns the stack id for the record, 0 = none. Lock held. */
static UInt candidate(ThreadId tid, Stack *(*stack_now)(const void *, SiteIndex), const void *where, SiteIndex site,
		Bool always_stack)
{
	Bool counts = pc_control->pending && pc_control->active;
	if (!counts && !(pc_stacks_of_all() || (pc_options.record && always_stack)))
		return 0;
	Stack *stack = stack_now(where, site);
	UInt id = pc_options.record ? pc_stack_id(stack) : 0;
	if (counts)
		take(tid, stack, site);
	return id;
}

static Stack *stack_in_helper(const void *guest, SiteIndex site)
{
	return pc_stack_in_helper(guest, site);
}

static Stack *stack_in_syscall(const void *tid, SiteIndex site)
{
	return pc_stack_in_syscall(*(const ThreadId *)tid, site);
}

static UInt candidate_in_helper(const VexGuestAMD64State *guest, SiteIndex site, Bool always_stack)
{
	return candidate(VG_(get_running_tid)(), stack_in_helper, guest, site, always_stack);
}

static UInt candidate_in_syscall(ThreadId tid, SiteIndex site, Bool always_stack)
{
	return candidate(tid, stack_in_syscall, &tid, site, always_stack);
}

/* --------------------------------------------------------------- stores */

/* One store into one file, split into several records if it is large. The data are in memory. Lock held. */
static void append_store_of_kind(UInt kind, ThreadId tid, UInt flags, SiteIndex site, UInt stack, ULong location,
		const UChar *data, SizeT size)
{
	if (pc_options.record) {
		UInt site_id = pc_site_id(site);
		while (size > 0) {
			SizeT piece = size < POWERCUT_MAX_STORE_DATA ? size : POWERCUT_MAX_STORE_DATA;
			UInt padding = (UInt)(pc_round8(piece) - piece);
			UInt more = piece < size ? POWERCUT_STORE_MORE : 0;
			struct powercut_store *record = pc_append(kind, flags | padding << POWERCUT_STORE_PADDING_SHIFT | more, tid,
					sizeof *record + piece + padding);
			record->site = site_id;
			record->stack = stack;
			record->location = location;
			if (piece == 8)
				*(ULong *)record->data = *(const ULong *)data;
			else
				VG_(memcpy)(record->data, data, piece);
			pc_commit();
			data += piece;
			location += piece;
			size -= piece;
		}
	}
	if ((flags & POWERCUT_STORE_MORE) == 0)
		pc_schedule_stored(tid, site);
}

static void append_store(ThreadId tid, UInt flags, SiteIndex site, UInt stack, ULong location, const UChar *data,
		SizeT size)
{
	append_store_of_kind(POWERCUT_STORE, tid, flags, site, stack, location, data, size);
}

static void count_store(ThreadId tid)
{
	has_work(tid);
	pc_control->stores++;
	if (pc_control->active)
		pc_control->pending |= PC_PENDING_STORE;
}

/*
 * What another thread stored counts too, and so does what its own thread stored before its last fence: a locked
 * instruction is a fence, and persists nothing that was not flushed.
 */
Bool pc_acknowledges(void)
{
	if (pc_control->stores == 0)
		return False;
	if (pc_control->active)
		pc_control->pending |= PC_PENDING_OUTPUT;
	return True;
}

static inline ULong location_of(UInt file, ULong offset)
{
	/* Some slack: the end of the store must fit as well. */
	if (UNLIKELY(offset > POWERCUT_LOCATION_OFFSET_MASK - (1ULL << 32)))
		pc_give_up(
				"the target uses a PM file beyond 256 TiB (at byte %llu), further than the trace can number; the limit is "
				"Powercut's: use a smaller file",
				offset);
	return pc_location(file, offset);
}

/* Records the part of [address, address+size) that is PM. The data are read from memory, after the store. */
static void mapped_store_of_kind(UInt kind, ThreadId tid, UInt flags, SiteIndex site, UInt stack, Addr address,
		SizeT size)
{
	Addr end = address + size;
	for (const Mapping *mapping = pc_mapping_from(address); mapping != NULL && mapping->start < end;
			mapping = pc_mapping_from(address)) {
		Addr from = address > mapping->start ? address : mapping->start;
		Addr to = end < mapping->end ? end : mapping->end;
		ULong offset = mapping->offset + (from - mapping->start);
		append_store_of_kind(kind, tid, flags, site, stack, location_of(mapping->file, offset), (const UChar *)from,
				to - from);
		if (pc_options.reads && (flags & POWERCUT_STORE_KERNEL) == 0) /* Valgrind may report too much */
			pc_overwritten(mapping->file, offset, to - from);
		pc_loads_stored(tid, mapping->file, offset, to - from);
		if ((flags & POWERCUT_STORE_MORE) == 0)
			count_store(tid);
		address = to;
		if (pc_options.every_store)
			stack = 0; /* one store, one candidate */
		if (address >= end)
			return;
	}
}

static void mapped_store(ThreadId tid, UInt flags, SiteIndex site, UInt stack, Addr address, SizeT size)
{
	mapped_store_of_kind(POWERCUT_STORE, tid, flags, site, stack, address, size);
}

static Bool touches_pm(Addr address, SizeT size)
{
	const Mapping *mapping = pc_mapping_from(address);
	return mapping != NULL && mapping->start < address + size;
}

void pc_store_begins(Addr address, UWord size)
{
	if (!touches_pm(address, size))
		return;
	pc_lock();
	store_under_way = True;
}

void pc_store_ends(void)
{
	if (!store_under_way)
		return;
	store_under_way = False;
	pc_unlock();
}

void pc_before_store(VexGuestAMD64State *guest, Addr address, UWord size, UWord site)
{
	store_stack = 0;
	if (!touches_pm(address, size))
		return;
	pc_lock();
	store_stack = candidate_in_helper(guest, (SiteIndex)site, True);
	pc_unlock();
}

void pc_on_store(Addr address, UWord what)
{
	SizeT size = what >> STORE_SIZE_SHIFT;
	if (!touches_pm(address, size))
		return;
	pc_lock();
	mapped_store(VG_(get_running_tid)(), (what >> STORE_FLAGS_SHIFT) & 0xff, (SiteIndex)what, store_stack, address,
			size);
	pc_unlock();
}

void pc_on_store_with_stack(const VexGuestAMD64State *guest, Addr address, UWord what)
{
	SizeT size = what >> STORE_SIZE_SHIFT;
	if (!touches_pm(address, size))
		return;
	pc_lock();
	UInt stack = pc_stack_id(pc_stack_in_helper(guest, (SiteIndex)what));
	mapped_store(VG_(get_running_tid)(), (what >> STORE_FLAGS_SHIFT) & 0xff, (SiteIndex)what, stack, address, size);
	pc_unlock();
}

/* The stack for a record of a store by the running thread. Lock held. */
static UInt stack_of_store(const VexGuestAMD64State *guest, SiteIndex site)
{
	if (pc_options.every_store)
		return store_stack;
	return pc_stacks_of_all() ? pc_stack_id(pc_stack_in_helper(guest, site)) : 0;
}

void pc_on_string_store(const VexGuestAMD64State *guest, Addr address, UWord what, UWord left)
{
	ThreadId tid = VG_(get_running_tid)();
	SizeT size = what >> STORE_SIZE_SHIFT;
	Element *last = &elements[tid];
	Element now = {(SiteIndex)what, address, left};
	if (!touches_pm(address, size))
		return;
	Bool goes_on = now.site == last->site && last->left != 0 && left == last->left - 1 &&
			(address == last->address + size || address == last->address - size);
	*last = now;
	pc_lock();
	mapped_store_of_kind(goes_on ? POWERCUT_STORE_ELEMENT : POWERCUT_STORE, tid, (what >> STORE_FLAGS_SHIFT) & 0xff,
			now.site, stack_of_store(guest, now.site), address, size);
	pc_unlock();
}

static UInt highest_bits(ULong bytes)
{
	UInt bits = 0;
	for (UInt i = 0; i < 8; i++)
		bits |= (UInt)(bytes >> (8 * i + 7) & 1) << i;
	return bits;
}

void pc_on_mask(ULong low, ULong high)
{
	store_mask = highest_bits(low) | highest_bits(high) << 8;
}

/* The next run of bytes without a gap that the masked store stores, from *at on; 0 when there are no more. */
static SizeT next_run(SizeT size, SizeT *at)
{
	SizeT end;
	while (*at < size && (store_mask >> *at & 1) == 0)
		(*at)++;
	for (end = *at; end < size && (store_mask >> end & 1) != 0;)
		end++;
	return end - *at;
}

/* How many bytes of a masked store count: up to the end of the last run in PM. */
static SizeT size_in_pm(Addr address, SizeT size)
{
	SizeT used = 0;
	SizeT at = 0;
	for (SizeT run = next_run(size, &at); run != 0; at += run, run = next_run(size, &at)) {
		if (touches_pm(address + at, run))
			used = at + run;
	}
	return used;
}

void pc_before_masked_store(VexGuestAMD64State *guest, Addr address, UWord size, UWord site)
{
	store_stack = 0;
	if (size_in_pm(address, size) != 0)
		pc_before_store(guest, address, size, site);
}

void pc_on_masked_store(const VexGuestAMD64State *guest, Addr address, UWord what)
{
	SizeT size = size_in_pm(address, what >> STORE_SIZE_SHIFT);
	SiteIndex site = (SiteIndex)what;
	UInt flags = (what >> STORE_FLAGS_SHIFT) & 0xff;
	SizeT at = 0;
	if (size == 0)
		return;
	pc_lock();
	UInt stack = stack_of_store(guest, site);
	for (SizeT run = next_run(size, &at); run != 0; at += run, run = next_run(size, &at)) {
		UInt more = at + run < size ? POWERCUT_STORE_MORE : 0;
		mapped_store(VG_(get_running_tid)(), flags | more, site, stack, address + at, run);
	}
	pc_unlock();
}

/* ------------------------------------------------------ flushes, fences */

/* JIT compilers, such as Java's, flush new code so that all processors execute it. */
static Bool is_code(Addr line)
{
	const NSegment *segment = VG_(am_find_nsegment)(line);
	return segment != NULL && segment->hasX;
}

void pc_on_flush(VexGuestAMD64State *guest, Addr address, UWord kind, UWord site)
{
	Addr line = address & ~63UL;
	const Mapping *mapping = pc_mapping_from(line);
	Bool is_pm = mapping != NULL && mapping->start <= line;
	UInt stack = 0;
	if (!is_pm && is_code(line))
		return;
	pc_lock();
	if (is_pm) {
		stack = candidate_in_helper(guest, (SiteIndex)site, False);
		pc_control->flushes++;
		pc_work = 1;
	} else if (pc_stacks_of_all()) {
		stack = pc_stack_id(pc_stack_in_helper(guest, (SiteIndex)site));
	}
	if (pc_options.record) {
		UInt site_id = pc_site_id((SiteIndex)site);
		struct powercut_flush *record = pc_append(POWERCUT_FLUSH, (UInt)kind, VG_(get_running_tid)(), sizeof *record);
		record->site = site_id;
		record->stack = stack;
		record->location = is_pm ? location_of(mapping->file, mapping->offset + (line - mapping->start))
								 : line & POWERCUT_LOCATION_OFFSET_MASK;
		pc_commit();
	}
	pc_unlock();
}

void pc_on_fence(VexGuestAMD64State *guest, UWord kind, UWord site)
{
	pc_lock();
	UInt stack = candidate_in_helper(guest, (SiteIndex)site, False);
	pc_control->fences++;
	pc_work = 0;
	pc_check_at_fence(VG_(get_running_tid)());
	if (pc_options.record) {
		UInt site_id = pc_site_id((SiteIndex)site);
		struct powercut_fence *record = pc_append(POWERCUT_FENCE, (UInt)kind, VG_(get_running_tid)(), sizeof *record);
		record->site = site_id;
		record->stack = stack;
		pc_commit();
	}
	pc_unlock();
}

static void mark(ThreadId tid, UWord kind, SiteIndex site)
{
	pc_lock();
	if (kind == POWERCUT_MARK_BEGIN && !pc_control->active)
		pc_executed_begins();
	pc_control->active = kind == POWERCUT_MARK_BEGIN;
	pc_control->marks++;
	if (pc_options.record) {
		UInt site_id = pc_site_id(site);
		struct powercut_mark *record = pc_append(POWERCUT_MARK, (UInt)kind, tid, sizeof *record);
		record->site = site_id;
		pc_commit();
	}
	pc_unlock();
}

void pc_on_mark(UWord kind, UWord site)
{
	mark(VG_(get_running_tid)(), kind, (SiteIndex)site);
}

void pc_mark(ThreadId tid, UWord kind)
{
	mark(tid, kind, pc_site_of(VG_(get_IP)(tid)));
}

/* --------------------------------------------------------- system calls */

SiteIndex pc_syscall_site(ThreadId tid)
{
	return pc_site_of(VG_(get_IP)(tid) - 2); /* the syscall instruction has two bytes and was executed */
}

void pc_events_syscall_begins(ThreadId tid)
{
	VG_(memset)(&calls[tid], 0, sizeof calls[tid]);
}

/* The call was expected to store but did not, like a read at the end of a file: there was no failure point. */
void pc_events_syscall_ends(ThreadId tid)
{
	if (calls[tid].taken) {
		pc_lock();
		pc_control->failure_points--;
		pc_control->pending |= PC_PENDING_STORE;
		pc_unlock();
	}
	calls[tid].taken = False;
	calls[tid].stores = False;
}

static void candidate_of_call(ThreadId tid)
{
	if (calls[tid].seen)
		return;
	SiteIndex site = pc_syscall_site(tid);
	calls[tid].seen = True;
	pc_lock();
	if (pc_options.leaves == NULL && pc_options.record) {
		Stack *stack = pc_stack_in_syscall(tid, site);
		calls[tid].stack = pc_stack_id(stack);
		calls[tid].may_count = !stack->excluded;
	} else {
		ULong before = pc_control->failure_points;
		calls[tid].stack = candidate_in_syscall(tid, site, True);
		calls[tid].taken = pc_control->failure_points != before;
	}
	pc_unlock();
}

/* In a trace, the candidate is where the record of its store is: others may store and persist before it. Lock held. */
static void take_of_call(ThreadId tid)
{
	if (calls[tid].may_count && pc_control->pending && pc_control->active) {
		pc_control->pending = 0;
		pc_control->failure_points++;
	}
	calls[tid].may_count = False;
}

/* The stack for a record of a store by a call. Lock held. */
static UInt stack_of_call(ThreadId tid, SiteIndex site)
{
	UInt stack = calls[tid].stack;
	take_of_call(tid);
	calls[tid].taken = False;
	calls[tid].stack = 0;
	if (pc_options.every_store || stack != 0)
		return stack;
	return pc_stacks_of_all() ? pc_stack_id(pc_stack_in_syscall(tid, site)) : 0;
}

void pc_before_kernel_store(ThreadId tid, Addr address, SizeT size)
{
	if (size == 0 || !touches_pm(address, size))
		return;
	calls[tid].stores = True;
	if (pc_options.every_store)
		candidate_of_call(tid);
}

void pc_events_call_stores(ThreadId tid)
{
	calls[tid].stores = True;
}

void pc_events_stores_at_any_time(void)
{
	at_any_time = True;
}

void pc_events_thread_ends(ThreadId tid)
{
	unfinished |= calls[tid].stores;
	VG_(memset)(&calls[tid], 0, sizeof calls[tid]);
}

Bool pc_events_unfinished(void)
{
	return unfinished || at_any_time;
}

Bool pc_events_in_doubt(void)
{
	for (ThreadId tid = 1; tid < VG_N_THREADS; tid++) {
		if (calls[tid].stores)
			return True;
	}
	return at_any_time;
}

static Bool can_be_read(Addr address)
{
	UChar byte;
	return pc_read_memory((UInt)VG_(getpid)(), address, &byte, 1) == 1;
}

/* Valgrind may report more than the kernel wrote: up to pages beyond the end of a file, which cannot be touched. */
static SizeT size_that_can_be_read(Addr address, SizeT size)
{
	while (size > 0 && !can_be_read(address + size - 1)) {
		Addr page = (address + size - 1) & ~(Addr)(VKI_PAGE_SIZE - 1);
		size = page > address ? page - address : 0;
	}
	return size;
}

void pc_kernel_store(ThreadId tid, Addr address, SizeT size)
{
	if (size == 0 || !touches_pm(address, size))
		return;
	size = size_that_can_be_read(address, size);
	if (size == 0)
		return;
	SiteIndex site = pc_syscall_site(tid);
	pc_lock();
	mapped_store(tid, POWERCUT_STORE_KERNEL, site, stack_of_call(tid, site), address, size);
	pc_unlock();
}

void pc_kernel_will_store(ThreadId tid, Addr address, const UChar *data, SizeT size)
{
	const Mapping *mapping = pc_mapping_from(address);
	SiteIndex site = pc_syscall_site(tid);
	if (mapping == NULL || mapping->start > address || mapping->end < address + size)
		return;
	pc_lock();
	append_store(tid, POWERCUT_STORE_KERNEL, site, stack_of_call(tid, site),
			location_of(mapping->file, mapping->offset + (address - mapping->start)), data, size);
	count_store(tid);
	pc_check_is_early();
	pc_unlock();
}

void pc_remote_store(ThreadId tid, UInt file, ULong offset, const UChar *data, SizeT size)
{
	SiteIndex site = pc_syscall_site(tid);
	pc_lock();
	append_store(tid, POWERCUT_STORE_KERNEL, site, stack_of_call(tid, site), location_of(file, offset), data, size);
	count_store(tid);
	pc_unlock();
}

/* -------------------------------------------------------------- signals */

void pc_signal_frame_below(ThreadId tid, Addr end)
{
	frames[tid].end = end;
	frames[tid].rest = 0;
}

static void store_frame(ThreadId tid, Addr from, Addr to)
{
	SiteIndex site = pc_site_of(VG_(get_IP)(tid));
	if (from >= to || !touches_pm(from, to - from))
		return;
	pc_lock();
	mapped_store(tid, POWERCUT_STORE_KERNEL, site, 0, from, to - from);
	pc_unlock();
}

/*
 * Valgrind adds data of its own to a signal frame, without reporting it: between what a kernel writes and the frame's
 * end.
 */
void pc_signal_frame(ThreadId tid, Addr address, SizeT size)
{
	store_frame(tid, address, address + size);
	frames[tid].rest = address + size;
}

static void store_rest_of_frame(ThreadId tid)
{
	store_frame(tid, frames[tid].rest, frames[tid].end);
	frames[tid].rest = 0;
}

void pc_before_file_store(ThreadId tid, UInt flags)
{
	if (pc_options.every_store || flags != 0)
		candidate_of_call(tid);
}

/* Opened again for each: the target's descriptor may be write-only. */
static Int open_for_reading(Int fd)
{
	Int opened = pc_open_again(fd);
	if (opened < 0)
		pc_give_up("cannot read back what the target wrote to a PM file (descriptor %d); the file must be readable for "
				   "user %d, as whom the target runs",
				fd, VG_(geteuid)());
	return opened;
}

void pc_file_store_grows(ThreadId tid, Int fd, UInt file, ULong offset, UInt flags)
{
	UChar byte;
	if (!calls[tid].seen || !pc_options.record)
		return;
	Int reader = open_for_reading(fd);
	SysRes read = VG_(do_syscall)(__NR_pread64, (UWord)reader, (UWord)&byte, 1, offset, 0, 0, 0, 0);
	VG_(close)(reader);
	if (sr_isError(read) || sr_Res(read) != 1)
		return;
	pc_lock();
	take_of_call(tid);
	append_store(tid, flags | POWERCUT_STORE_FILE_WRITE | POWERCUT_STORE_MORE, pc_syscall_site(tid), calls[tid].stack,
			location_of(file, offset), &byte, 1);
	pc_unlock();
}

void pc_file_store(ThreadId tid, Int fd, UInt file, ULong offset, ULong size, UInt flags)
{
	static UChar buffer[POWERCUT_MAX_STORE_DATA];
	if (size == 0)
		return;
	SiteIndex site = pc_syscall_site(tid);
	Int reader = pc_options.record ? open_for_reading(fd) : -1;
	pc_lock();
	UInt stack = stack_of_call(tid, site);
	flags |= POWERCUT_STORE_FILE_WRITE;
	for (ULong done = 0; done < size && reader >= 0;) {
		ULong piece = size - done < sizeof buffer ? size - done : sizeof buffer;
		SysRes read = VG_(do_syscall)(__NR_pread64, (UWord)reader, (UWord)buffer, piece, offset + done, 0, 0, 0, 0);
		if (sr_isError(read) || sr_Res(read) == 0)
			break; /* another process truncated it meanwhile */
		UInt more = done + sr_Res(read) < size ? POWERCUT_STORE_MORE : 0;
		append_store(tid, flags | more, site, stack, location_of(file, offset + done), buffer, sr_Res(read));
		done += sr_Res(read);
	}
	count_store(tid);
	pc_unlock();
	if (reader >= 0)
		VG_(close)(reader);
}

void pc_file_zeroed(ThreadId tid, const FileRange *ranges, UInt count, UInt flags)
{
	static const UChar zeros[POWERCUT_MAX_STORE_DATA];
	SiteIndex site = pc_syscall_site(tid);
	pc_lock();
	UInt stack = stack_of_call(tid, site);
	flags |= POWERCUT_STORE_FILE_WRITE | POWERCUT_STORE_ZEROED;
	for (UInt i = 0; i < count && pc_options.record; i++) {
		for (ULong at = ranges[i].from; at < ranges[i].end;) {
			ULong piece = ranges[i].end - at < sizeof zeros ? ranges[i].end - at : sizeof zeros;
			UInt more = i + 1 < count || at + piece < ranges[i].end ? POWERCUT_STORE_MORE : 0;
			append_store(tid, flags | more, site, stack, location_of(ranges[i].file, at), zeros, piece);
			at += piece;
		}
	}
	count_store(tid);
	pc_unlock();
}

ULong pc_sync(ThreadId tid, UInt kind, ULong location, ULong size)
{
	SiteIndex site = pc_syscall_site(tid);
	pc_lock();
	UInt stack = candidate_in_syscall(tid, site, False);
	ULong number = ++pc_control->syncs;
	if (pc_options.record) {
		UInt site_id = pc_site_id(site);
		struct powercut_sync *record = pc_append(POWERCUT_SYNC, kind, tid, sizeof *record);
		record->site = site_id;
		record->stack = stack;
		record->location = location;
		record->size = size;
		record->number = number;
		pc_commit();
	}
	pc_unlock();
	return number;
}

void pc_sync_end(ThreadId tid, UInt kind, ULong number, UInt error)
{
	if (!pc_options.record)
		return;
	pc_lock();
	struct powercut_sync_end *record = pc_append(POWERCUT_SYNC_END, kind, tid, sizeof *record);
	record->error = error;
	record->number = number;
	pc_commit();
	pc_unlock();
}

void pc_metadata(ThreadId tid, UInt kind, Bool adds, const HChar *path, const HChar *other)
{
	SizeT length = path == NULL ? 0 : VG_(strlen)(path);
	SizeT other_length = other == NULL ? 0 : VG_(strlen)(other);
	SiteIndex site = pc_syscall_site(tid);
	pc_lock();
	UInt stack = candidate_in_syscall(tid, site, False);
	Bool counts = !adds || pc_control->stores != 0;
	if (pc_options.record) {
		UInt flags = kind | (counts ? POWERCUT_METADATA_COUNTS : 0);
		UInt site_id = pc_site_id(site);
		struct powercut_metadata *record =
				pc_append(POWERCUT_METADATA, flags, tid, pc_round8(sizeof *record + length + other_length));
		record->site = site_id;
		record->stack = stack;
		record->path_length = (UInt)length;
		record->other_length = (UInt)other_length;
		VG_(memcpy)(record->path, path, length);
		VG_(memcpy)(record->path + length, other, other_length);
		pc_commit();
	}
	if (counts && pc_control->active)
		pc_control->pending |= PC_PENDING_METADATA;
	pc_unlock();
}
