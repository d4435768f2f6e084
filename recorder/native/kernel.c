/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stores of the kernel to mapped PM that Valgrind does not report: length words of socket calls, futexes, thread ids,
 * what it leaves in the locks of a thread that ends, and memory that is written through its process (/proc/PID/mem,
 * ptrace, process_vm_writev).
 */
#include "kernel.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "core_api.h"
#include "events.h"
#include "files.h"
#include "kernel_abi.h"
#include "mappings.h"
#include "memory.h"
#include "paths.h"
#include "slots.h"
#include "trace.h"

#define FUTEX_TID_ 0x3fffffffU
#define FUTEX_DIED 0x40000000U
#define FUTEX_WAITERS_ 0x80000000U
#define ROBUST_LIST_LIMIT 2048

#define CLONE_CHILD_CLEARTID_ 0x00200000
#define CLONE_CHILD_SETTID_ 0x01000000

#define PTRACE_POKETEXT_ 4
#define PTRACE_POKEDATA_ 5

#define MAX_PLACES 64

#define INTERFACE_NAME 16 /* bytes of it, in a struct ifreq */
#define MOST_SIGNALS 1024

#define LARGEST_THAT_MAY_CHANGE 24

/* Memory that a call stores to: when it succeeds, or whenever the memory differs afterwards. */
typedef struct {
	Addr address;
	SizeT size;
	Bool if_changed;
	Bool in_doubt; /* record it even unchanged: another thread may have stored there */
	SizeT (*stored)(const UWord *args, UWord result); /* how many of its bytes it stored; NULL: all */
	UChar before[LARGEST_THAT_MAY_CHANGE]; /* what it held before */
} Place;

typedef struct {
	UInt count;
	Place places[MAX_PLACES];
} Places;

typedef struct {
	Addr robust_list; /* head of the list, 0 = none */
	Addr clear_tid; /* the kernel stores zero there when the thread ends, 0 = nowhere */
	Addr set_tid; /* where the kernel stored the thread's id when it began */
	UWord clone_flags; /* of the call under way */
	Addr clone_tid;
} KernelThread;

/* As the kernel defines them for x86-64. */
struct message {
	Addr name;
	UInt name_length;
	Addr vectors;
	SizeT vector_count;
	Addr control;
	SizeT control_length;
	UInt flags;
};
struct messages {
	struct message message;
	UInt length;
};
struct extents {
	ULong start, length;
	UInt flags, mapped, count, reserved;
};
struct extent {
	ULong fields[7];
};
struct file_system_map {
	UInt flags, results, count, entries;
	ULong reserved[6], keys[16];
};
struct owned_range {
	ULong fields[8];
};
struct duplicates {
	ULong offset, length;
	UShort count, reserved[3];
};
struct duplicate {
	ULong fields[4];
};
struct scan {
	ULong size, flags, start, end, reached, ranges, range_count, pages, categories[4];
};
struct scanned_range {
	ULong start, end, categories;
};
struct signal_info {
	UChar bytes[128];
};
struct queue {
	ULong fields[15];
};
struct terminal {
	UInt flags[4];
	UChar line, characters[19];
};
struct file_lock {
	Short type, whence;
	Long start, length;
	Int process;
};
struct robust_list_head_ {
	Addr next;
	Long futex_offset;
	Addr pending;
};

static KernelThread *threads; /* by Valgrind's number */
static Places *calls; /* by thread */

/* --------------------------------------------------- words beside a call */

static void add_place(Places *places, Addr address, SizeT size)
{
	Mapping piece;
	if (address == 0 || places->count == MAX_PLACES || pc_mappings_in(address, size, &piece, 1) == 0)
		return;
	Place *place = &places->places[places->count++];
	place->address = address;
	place->size = size;
	place->if_changed = False;
	place->stored = NULL;
}

/* Of this, a call that succeeds stores to as much as its result says, or what it stored elsewhere. */
static void add_place_of_result(Places *places, Addr address, SizeT most,
		SizeT (*stored)(const UWord *args, UWord result))
{
	UInt count = places->count;
	add_place(places, address, most);
	if (places->count != count)
		places->places[count].stored = stored;
}

static void add_place_that_may_change(Places *places, Addr address, SizeT size)
{
	UInt count = places->count;
	add_place(places, address, size);
	if (places->count == count || !pc_is_readable(address, size))
		return;
	places->places[count].if_changed = True;
	places->places[count].in_doubt = True;
	VG_(memcpy)(places->places[count].before, (const void *)address, size);
}

static void add_words_that_may_change(Places *places, Addr address, UInt words)
{
	UInt count = places->count;
	add_place_that_may_change(places, address, words * sizeof(UInt));
	if (places->count != count)
		places->places[count].in_doubt = False;
}

static void add_word_that_may_change(Places *places, Addr address)
{
	add_words_that_may_change(places, address, 1);
}

/* All of a siginfo_t that waitid fills in: with zeros if no child has ended, or if there is none, which is an error. */
static void add_siginfo(Places *places, Addr address)
{
	add_place_that_may_change(places, address, 3 * sizeof(UInt));
	if (address != 0)
		add_place_that_may_change(places, address + 16, 3 * sizeof(UInt));
}

/* Two structures, of which Valgrind reports one; for an unknown version, the one that the kernel knows. */
static void add_capabilities(Places *places, const UWord *args)
{
	add_place_that_may_change(places, args[0], sizeof(UInt));
	add_place_that_may_change(places, args[1], 6 * sizeof(UInt));
}

static void add_message(Places *places, Addr address)
{
	const struct message *message = (const struct message *)address;
	if (!pc_is_readable(address, sizeof *message))
		return;
	if (message->name != 0)
		add_place(places, (Addr)&message->name_length, sizeof message->name_length);
	add_place(places, (Addr)&message->control_length, sizeof message->control_length);
	add_place(places, (Addr)&message->flags, sizeof message->flags);
}

static void add_futex(Places *places, const UWord *args)
{
	switch (args[1] & FUTEX_COMMAND) {
	case FUTEX_WAKE_OP_: add_place(places, args[4], sizeof(UInt)); break;
	case FUTEX_LOCK_PI_:
	case FUTEX_LOCK_PI2_:
	case FUTEX_TRYLOCK_PI_:
	case FUTEX_UNLOCK_PI_: add_word_that_may_change(places, args[0]); break;
	case FUTEX_WAIT_REQUEUE_PI_:
	case FUTEX_CMP_REQUEUE_PI_: add_word_that_may_change(places, args[4]); break;
	default: break;
	}
}

static SizeT as_many_as_returned(const UWord *args, UWord result)
{
	(void)args;
	return result;
}

/* Valgrind reports it only where the call returns zero. */
static SizeT all_if_positive(const UWord *args, UWord result)
{
	return (Int)result > 0 ? IOC_SIZE((UInt)args[1]) : 0;
}

static SizeT extents_found(const UWord *args, UWord result)
{
	(void)result;
	return ((const struct extents *)args[2])->mapped * sizeof(struct extent);
}

static SizeT ranges_found(const UWord *args, UWord result)
{
	(void)result;
	return ((const struct file_system_map *)args[2])->entries * sizeof(struct owned_range);
}

static SizeT ranges_scanned(const UWord *args, UWord result)
{
	(void)args;
	return result * sizeof(struct scanned_range);
}

static SizeT signals_peeked(const UWord *args, UWord result)
{
	(void)args;
	return result * sizeof(struct signal_info);
}

/* What lies behind the structure whose size is in the request, or beside it; and what the request does not tell. */
static void add_result_of_ioctl(Places *places, const UWord *args)
{
	UInt request = (UInt)args[1];
	Addr into = args[2];
	if (IOC_READS(request))
		add_place_of_result(places, into, IOC_SIZE(request), all_if_positive);
	if (IOC_SIZE(request) != 0 && !pc_is_readable(into, IOC_SIZE(request)))
		return;
	switch (request) {
	case FS_IOC_FIEMAP_:
		add_place_of_result(places, into + sizeof(struct extents),
				((const struct extents *)into)->count * sizeof(struct extent), extents_found);
		break;
	case FS_IOC_GETFSMAP_:
		add_place_of_result(places, into + sizeof(struct file_system_map),
				((const struct file_system_map *)into)->count * sizeof(struct owned_range), ranges_found);
		break;
	case FIDEDUPERANGE_:
		add_place(places, into + sizeof(struct duplicates),
				((const struct duplicates *)into)->count * sizeof(struct duplicate));
		break;
	case PAGEMAP_SCAN_:
		add_place_of_result(places, ((const struct scan *)into)->ranges,
				((const struct scan *)into)->range_count * sizeof(struct scanned_range), ranges_scanned);
		break;
	case SIOCGIFCONF_:
	case FIOGETOWN_:
	case TIOCGETD_:
	case TIOCGSOFTCAR_:
	case NS_GET_OWNER_UID_: add_place(places, into, sizeof(Int)); break;
	case TIOCGLCKTRMIOS_: add_place(places, into, sizeof(struct terminal)); break;
	default:
		if (request > SIOCGIFNAME_ && request <= SIOCGIFMAP_)
			add_word_that_may_change(places, into + INTERFACE_NAME - sizeof(UInt)); /* ends with a zero */
		break;
	}
}

static void add_result_of_ptrace(Places *places, const UWord *args)
{
	switch (args[0]) {
	case PTRACE_GETREGSET_: add_place(places, args[3] + sizeof(Addr), sizeof(SizeT)); break;
	case PTRACE_GETSIGMASK_: add_place(places, args[3], sizeof(ULong)); break;
	case PTRACE_GET_SYSCALL_INFO_: add_place_of_result(places, args[3], args[2], as_many_as_returned); break;
	case PTRACE_PEEKSIGINFO_:
		add_place_of_result(places, args[3], MOST_SIGNALS * sizeof(struct signal_info), signals_peeked);
		break;
	default: break;
	}
}

/* It clears a word of each request. */
static void add_requests(Places *places, const UWord *args)
{
	for (UWord i = 0; i < args[1] && i < MAX_PLACES; i++) {
		const struct vki_iocb *request = pc_aio_request(args[2], i);
		if (request != NULL)
			add_word_that_may_change(places, (Addr)&request->aio_key);
	}
}

static void add_result_of_fcntl(Places *places, const UWord *args)
{
	switch (args[1]) {
	case F_GETLK_:
	case F_OFD_GETLK_: add_place(places, args[2], sizeof(struct file_lock)); break;
	case F_GET_RW_HINT_:
	case F_GET_FILE_RW_HINT_: add_place(places, args[2], sizeof(ULong)); break;
	default: break;
	}
}

static void add_result_of_prctl(Places *places, const UWord *args)
{
	switch (args[0]) {
	case PR_GET_TSC_:
	case PR_GET_CHILD_SUBREAPER_: add_place(places, args[1], sizeof(Int)); break;
	case PR_GET_AUXV_: add_place_of_result(places, args[1], args[2], as_many_as_returned); break;
	case PR_SET_MM_:
		if (args[1] == PR_SET_MM_MAP_SIZE_)
			add_place(places, args[2], sizeof(UInt));
		break;
	case PR_GET_TID_ADDRESS_: add_place(places, args[1], sizeof(Addr)); break;
	default: break;
	}
}

/* Valgrind reports less of it. */
static void add_queue(Places *places, const UWord *args)
{
	UInt command = (UInt)args[1] & ~IPC_64_;
	if (command == IPC_STAT_ || command == MSG_STAT_ || command == MSG_STAT_ANY_)
		add_place(places, args[2], sizeof(struct queue));
}

static void find_places(Places *places, UInt number, const UWord *args)
{
	places->count = 0;
	switch (number) {
	case __NR_futex: add_futex(places, args); break;
	case __NR_recvfrom:
		if (args[4] != 0)
			add_place(places, args[5], sizeof(UInt));
		break;
	case __NR_accept:
	case __NR_accept4:
		if (args[1] != 0)
			add_place(places, args[2], sizeof(UInt));
		break;
	case __NR_getsockname:
	case __NR_getpeername: add_place(places, args[2], sizeof(UInt)); break;
	case __NR_getsockopt: add_place(places, args[4], sizeof(UInt)); break;
	case __NR_recvmsg: add_message(places, args[1]); break;
	case __NR_splice:
	case __NR_copy_file_range:
		add_place_that_may_change(places, args[1], sizeof(Long));
		add_place_that_may_change(places, args[3], sizeof(Long));
		break;
	case __NR_ppoll: add_place_that_may_change(places, args[2], sizeof(struct vki_timespec)); break;
	case __NR_waitid: add_siginfo(places, args[2]); break;
	case __NR_capget: add_capabilities(places, args); break;
	case __NR_fcntl: add_result_of_fcntl(places, args); break;
	case __NR_prctl: add_result_of_prctl(places, args); break;
	case __NR_ioctl: add_result_of_ioctl(places, args); break;
	case __NR_ptrace: add_result_of_ptrace(places, args); break;
	case __NR_io_submit: add_requests(places, args); break;
	case __NR_sched_getattr: add_place(places, args[1], (UInt)args[2]); break;
	case __NR_sched_setattr: add_word_that_may_change(places, args[1]); break; /* a size that it knows */
	case __NR_name_to_handle_at: /* also where there is too little room */
		add_words_that_may_change(places, args[2], 2);
		add_word_that_may_change(places, args[3]);
		break;
	case __NR_pselect6: add_place_that_may_change(places, args[4], sizeof(struct vki_timespec)); break;
	case __NR_msgctl: add_queue(places, args); break;
	case __NR_keyctl:
		if (args[0] == KEYCTL_GET_SECURITY_)
			add_place_of_result(places, args[2], args[3], as_many_as_returned);
		break;
	case __NR_recvmmsg:
		add_place_that_may_change(places, args[4], sizeof(struct vki_timespec));
		for (UWord i = 0; i < args[2] && i < MAX_PLACES; i++)
			add_message(places, args[1] + i * sizeof(struct messages));
		break;
	default: break;
	}
}

static Bool is_stored_to(const Place *place, Bool success)
{
	if (place->if_changed)
		return pc_is_readable(place->address, place->size) &&
				(place->in_doubt || VG_(memcmp)((const void *)place->address, place->before, place->size) != 0);
	return success;
}

/* Those of messages that recvmmsg did not receive are unchanged, and their records agree. */
static void store_places(ThreadId tid, const Places *places, const UWord *args, SysRes got)
{
	Bool success = !sr_isError(got);
	UWord result = success ? sr_Res(got) : 0;
	for (UInt i = 0; i < places->count; i++) {
		const Place *place = &places->places[i];
		SizeT size = place->size;
		if (!is_stored_to(place, success))
			continue;
		if (place->stored != NULL) {
			SizeT stored = place->stored(args, result);
			size = stored < size ? stored : size;
		}
		if (size != 0)
			pc_kernel_store(tid, place->address, size);
	}
}

/* --------------------------------------------------------------- threads */

void pc_kernel_thread_created(ThreadId creator, ThreadId child)
{
	VG_(memset)(&threads[child], 0, sizeof threads[child]);
	if (creator == VG_INVALID_THREADID)
		return;
	if ((threads[creator].clone_flags & CLONE_CHILD_CLEARTID_) != 0)
		threads[child].clear_tid = threads[creator].clone_tid;
	if ((threads[creator].clone_flags & CLONE_CHILD_SETTID_) != 0)
		threads[child].set_tid = threads[creator].clone_tid;
}

void pc_kernel_thread_begins(ThreadId tid)
{
	if (threads[tid].set_tid != 0)
		pc_kernel_store(tid, threads[tid].set_tid, sizeof(UInt));
	threads[tid].set_tid = 0;
}

void pc_kernel_after_fork_in_child(ThreadId tid)
{
	KernelThread *thread = &threads[tid];
	thread->robust_list = 0;
	thread->clear_tid = (thread->clone_flags & CLONE_CHILD_CLEARTID_) != 0 ? thread->clone_tid : 0;
	if ((thread->clone_flags & CLONE_CHILD_SETTID_) != 0)
		pc_kernel_store(tid, thread->clone_tid, sizeof(UInt));
}

/* The kernel marks the locks that the thread holds. It has a limit, since other threads may write to the list. */
static void owner_dies(ThreadId tid, Addr entry, Long futex_offset, UInt number)
{
	Addr word = (entry & ~1UL) + (UWord)futex_offset; /* the lowest bit means priority inheritance */
	if ((word & 3) != 0 || !pc_is_readable(word, sizeof(UInt)))
		return;
	UInt value = *(const UInt *)word;
	UInt dead = (value & FUTEX_WAITERS_) | FUTEX_DIED;
	if ((value & FUTEX_TID_) == number)
		pc_kernel_will_store(tid, word, (const UChar *)&dead, sizeof dead);
}

static void walk_robust_list(ThreadId tid, Addr address)
{
	const struct robust_list_head_ *head = (const struct robust_list_head_ *)address;
	UInt number = (UInt)sr_Res(VG_(do_syscall)(__NR_gettid, 0, 0, 0, 0, 0, 0, 0, 0));
	if (address == 0 || !pc_is_readable(address, sizeof *head))
		return;
	Addr entry = head->next;
	for (UInt i = 0; i < ROBUST_LIST_LIMIT && (entry & ~1UL) != address; i++) {
		if (!pc_is_readable(entry & ~1UL, sizeof(Addr)))
			return;
		if ((entry & ~1UL) != (head->pending & ~1UL))
			owner_dies(tid, entry, head->futex_offset, number);
		entry = *(const Addr *)(entry & ~1UL);
	}
	if (head->pending != 0)
		owner_dies(tid, head->pending, head->futex_offset, number);
}

void pc_kernel_thread_ends(ThreadId tid)
{
	UInt zero = 0;
	KernelThread *thread = &threads[tid];
	walk_robust_list(tid, thread->robust_list);
	if (thread->clear_tid != 0 && VG_(count_living_threads)() > 1)
		pc_kernel_will_store(tid, thread->clear_tid, (const UChar *)&zero, sizeof zero);
	VG_(memset)(thread, 0, sizeof *thread);
}

/* ----------------------------------------------- memory of other processes */

/* A shared mapping of a file, from /proc/PID/maps. */
typedef struct {
	Addr start;
	Addr end;
	ULong offset;
	ULong device;
	ULong inode;
} SharedMapping;

static const HChar *hexadecimal(const HChar *text, ULong *value)
{
	HChar *end;
	*value = (ULong)VG_(strtoll16)(text, &end);
	return end;
}

static Bool parse(const HChar *line, SharedMapping *mapping)
{
	ULong start, end, major, minor;
	line = hexadecimal(line, &start);
	line = hexadecimal(line + 1, &end);
	if (line[0] != ' ' || line[4] != 's') /* " rw-s " */
		return False;
	line = hexadecimal(line + 6, &mapping->offset);
	line = hexadecimal(line + 1, &major);
	line = hexadecimal(line + 1, &minor);
	HChar *rest;
	mapping->inode = (ULong)VG_(strtoll10)(line + 1, &rest);
	mapping->device = (minor & 0xff) | major << 8 | (minor & ~0xffULL) << 12; /* as stat gives it */
	mapping->start = start;
	mapping->end = end;
	return mapping->inode != 0;
}

static void for_each_shared_mapping(UInt pid, void (*receiver)(ThreadId tid, const SharedMapping *, void *),
		ThreadId tid, void *data)
{
	static HChar text[3 * PATH_SIZE];
	SizeT length = 0;
	SharedMapping mapping;
	VG_(sprintf)(text, "/proc/%u/maps", pid);
	Int fd = VG_(fd_open)(text, VKI_O_RDONLY | VKI_O_CLOEXEC, 0);
	if (fd < 0)
		return;
	for (;;) {
		Int got = VG_(read)(fd, text + length, (Int)(sizeof text - 1 - length));
		if (got <= 0)
			break;
		length += (SizeT)got;
		text[length] = 0;
		HChar *line = text;
		for (HChar *end = VG_(strchr)(line, '\n'); end != NULL; end = VG_(strchr)(line, '\n')) {
			*end = 0;
			if (parse(line, &mapping))
				receiver(tid, &mapping, data);
			line = end + 1;
		}
		length -= (SizeT)(line - text);
		VG_(memmove)(text, line, length);
	}
	VG_(close)(fd);
}

static void adopt_mapping(ThreadId tid, const SharedMapping *mapping, void *unused)
{
	Mapping piece;
	(void)unused;
	UInt file = pc_file_known(mapping->device, mapping->inode);
	SizeT size = mapping->end - mapping->start;
	if (file == 0 || !VG_(am_is_valid_for_client)(mapping->start, 1, VKI_PROT_NONE) ||
			(pc_mappings_in(mapping->start, size, &piece, 1) != 0 && piece.file == file))
		return;
	pc_mapping_remove(tid, mapping->start, size); /* it had left, and is back with another id */
	pc_mapping_add(tid, mapping->start, size, file, mapping->offset);
}

static ULong adopted_seen;

static void find_earlier_mappings(ThreadId tid)
{
	adopted_seen = pc_control->adopted;
	for_each_shared_mapping((UInt)VG_(getpid)(), adopt_mapping, tid, NULL);
}

void pc_file_adopted(ThreadId tid)
{
	pc_control->adopted++;
	find_earlier_mappings(tid);
}

/* What one process wrote into another's memory. */
typedef struct {
	UInt pid;
	Addr start;
	Addr end;
} Remote;

static void store_remote(ThreadId tid, const SharedMapping *mapping, void *data)
{
	static UChar buffer[POWERCUT_MAX_STORE_DATA];
	const Remote *remote = data;
	Addr from = remote->start > mapping->start ? remote->start : mapping->start;
	Addr to = remote->end < mapping->end ? remote->end : mapping->end;
	UInt file = pc_file_known(mapping->device, mapping->inode);
	while (file != 0 && from < to) {
		SizeT size = to - from < sizeof buffer ? to - from : sizeof buffer;
		size = pc_read_memory(remote->pid, from, buffer, size);
		if (size == 0)
			return;
		pc_remote_store(tid, file, mapping->offset + (from - mapping->start), buffer, size);
		from += size;
	}
}

static void store_in(ThreadId tid, UInt pid, Addr address, SizeT size)
{
	Remote remote = {pid, address, address + size};
	if (pid == (UInt)VG_(getpid)())
		pc_kernel_store(tid, address, size);
	else if (size != 0)
		for_each_shared_mapping(pid, store_remote, tid, &remote);
}

UInt pc_process_of_memory(Int fd)
{
	static ULong device;
	struct vg_stat status;
	HChar path[PATH_SIZE];
	if (device == 0 && !sr_isError(VG_(stat)("/proc/self/stat", &status)))
		device = status.dev;
	if (VG_(fstat)(fd, &status) != 0 || status.dev != device || !pc_path_of_fd(fd, path))
		return 0;
	SizeT length = VG_(strlen)(path);
	if (VG_(strncmp)(path, "/proc/", 6) != 0 || length < 4 || !VG_STREQ(path + length - 4, "/mem"))
		return 0;
	HChar *rest;
	return (UInt)VG_(strtoll10)(path + 6, &rest);
}

void pc_memory_written(ThreadId tid, UInt pid, Addr address, SizeT size)
{
	pc_lock();
	store_in(tid, pid, address, size);
	pc_unlock();
}

/* Records what a call wrote to the vectors of a process. */
static void store_vectors(ThreadId tid, UInt pid, UWord vectors, UWord count, SizeT size)
{
	const struct vki_iovec *vector = (const struct vki_iovec *)vectors;
	if (count > 1024 || !pc_is_readable(vectors, count * sizeof *vector))
		return;
	for (UWord i = 0; i < count && size > 0; i++) {
		SizeT part = vector[i].iov_len < size ? vector[i].iov_len : size;
		pc_memory_written(tid, pid, (Addr)vector[i].iov_base, part);
		size -= part;
	}
}

/* It moves data from a pipe to memory, not the other way. */
static Bool reads_pipe(Int fd)
{
	SysRes flags = VG_(do_syscall)(__NR_fcntl, (UWord)fd, VKI_F_GETFL, 0, 0, 0, 0, 0, 0);
	return !sr_isError(flags) && (sr_Res(flags) & 3) == VKI_O_RDONLY;
}

/* -------------------------------------------------------------- dispatch */

void pc_kernel_before_syscall(ThreadId tid, UInt number, const UWord *args)
{
	Places *places = &calls[tid];
	if (UNLIKELY(pc_control->adopted != adopted_seen))
		find_earlier_mappings(tid); /* another process moved a file below --pm-dir */
	find_places(places, number, args);
	for (UInt i = 0; i < places->count; i++)
		pc_before_kernel_store(tid, places->places[i].address, places->places[i].size);
	threads[tid].clone_flags = number == __NR_clone ? args[0] : 0;
	threads[tid].clone_tid = number == __NR_clone ? args[3] : 0;
}

void pc_kernel_after_syscall(ThreadId tid, UInt number, const UWord *args, SysRes result)
{
	if (calls[tid].count != 0)
		store_places(tid, &calls[tid], args, result);
	if (sr_isError(result))
		return;
	switch (number) {
	case __NR_set_robust_list: threads[tid].robust_list = args[0]; break;
	case __NR_set_tid_address: threads[tid].clear_tid = args[0]; break;
	case __NR_process_vm_writev: store_vectors(tid, (UInt)args[0], args[3], args[4], sr_Res(result)); break;
	case __NR_vmsplice:
		if (reads_pipe((Int)args[0]))
			store_vectors(tid, (UInt)VG_(getpid)(), args[1], args[2], sr_Res(result));
		break;
	case __NR_ptrace:
		if (args[0] == PTRACE_POKETEXT_ || args[0] == PTRACE_POKEDATA_)
			pc_memory_written(tid, (UInt)args[1], args[2], sizeof(UWord));
		break;
	default: break;
	}
}

void pc_kernel_init(void)
{
	threads = pc_zeros(pc_most_threads(), sizeof(KernelThread));
	calls = pc_zeros(pc_most_threads(), sizeof(Places));
}
