/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trace's files: the control file that all processes of an execution share, and the chunks that hold the records.
 *
 * Both are mapped shared, so what was written survives whatever happens to the process. While there is one process,
 * nothing is locked: Valgrind runs one thread at a time. From the first fork on, every record is appended under a lock.
 * The lock holds its owner's pid, so that it can be taken over from a dead process. Instructions that store into PM are
 * executed under it, too, so that no other process sees a store before it is recorded.
 */
#include "trace.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"
#include "pub_tool_xarray.h"

#include "core_api.h"
#include "determinism.h"
#include "options.h"
#include "paths.h"
#include "threads.h"

/* Disk space is reserved in such steps, so that a full disk is an error and not a SIGBUS. */
#define RESERVE_STEP 0x100000UL
/* The same of the control file: most programs use few files. */
#define CONTROL_STEP 0x10000UL

struct powercut_control *pc_control;

static volatile struct powercut_chunk *chunk;
static ULong chunk_number;
static SizeT position; /* in the chunk, after the last record appended */
static Int lock_depth;

static UInt cached_pid;

Bool pc_has_company;

static UInt my_pid(void)
{
	if (cached_pid == 0)
		cached_pid = (UInt)VG_(getpid)();
	return cached_pid;
}

/* ------------------------------------------------------------ giving up */

void pc_set_error(UInt kind, const HChar *text)
{
	if (pc_control == NULL || pc_control->error_kind != POWERCUT_ERROR_NONE)
		return;
	VG_(strncpy)(pc_control->error, text, POWERCUT_ERROR_SIZE - 1);
	pc_control->error_kind = kind;
}

void pc_kill_everything(void)
{
	UInt self = my_pid();
	if (pc_control != NULL) {
		for (UInt i = 0; i < POWERCUT_MAX_PROCESSES; i++) {
			UInt pid = pc_control->processes[i];
			if (pid != 0 && pid != self)
				VG_(kill)((Int)pid, VKI_SIGKILL);
		}
	}
	for (;;)
		VG_(kill)((Int)self, VKI_SIGKILL);
}

void pc_give_up(const HChar *format, ...)
{
	HChar text[POWERCUT_ERROR_SIZE];
	va_list arguments;
	va_start(arguments, format);
	VG_(vsnprintf)(text, sizeof text, format, arguments);
	va_end(arguments);
	VG_(umsg)("powercut: %s\n", text);
	if (pc_control == NULL)
		VG_(exit)(1);
	pc_set_error(POWERCUT_ERROR_RECORDER, text);
	pc_kill_everything();
}

/* ------------------------------------------------------------ processes */

/* Gone, or a zombie that nobody has waited for yet. */
static Bool is_dead(UInt pid)
{
	HChar path[64];
	HChar text[512];
	VG_(sprintf)(path, "/proc/%u/stat", pid);
	Int fd = VG_(fd_open)(path, VKI_O_RDONLY, 0);
	if (fd < 0)
		return True;
	Int length = VG_(read)(fd, text, sizeof text - 1);
	VG_(close)(fd);
	if (length <= 0)
		return True;
	text[length] = 0;
	const HChar *end_of_name = VG_(strrchr)(text, ')');
	return end_of_name != NULL && (end_of_name[2] == 'Z' || end_of_name[2] == 'X');
}

void pc_register_process(UInt pid)
{
	for (UInt i = 0; i < POWERCUT_MAX_PROCESSES; i++) {
		if (pc_control->processes[i] == pid)
			return;
	}
	for (UInt round = 0; round < 2; round++) {
		for (UInt i = 0; i < POWERCUT_MAX_PROCESSES; i++) {
			UInt old = pc_control->processes[i];
			if (old == 0 || (round == 1 && is_dead(old))) {
				pc_control->processes[i] = pid;
				if (old == 0)
					pc_control->live++;
				return;
			}
		}
	}
	pc_give_up("the target has more than %d processes at once, which the recorder cannot follow",
			POWERCUT_MAX_PROCESSES);
}

Bool pc_unregister_process(UInt pid)
{
	UInt live = 0;
	for (UInt i = 0; i < POWERCUT_MAX_PROCESSES; i++) {
		UInt other = pc_control->processes[i];
		if (other == 0)
			continue;
		if (other == pid || is_dead(other))
			pc_control->processes[i] = 0;
		else
			live++;
	}
	pc_control->live = (uint16_t)live;
	return live == 0;
}

/* So long a forked child may take to begin: a second. */
#define NAP_NS 1000000
#define MOST_NAPS 1000

void pc_child_begins(void)
{
	pc_lock();
	pc_control->starting++;
	pc_unlock();
}

void pc_child_began(void)
{
	pc_control->starting--;
}

/* ----------------------------------------------------------------- lock */

static void die_if_stopped(void)
{
	if (!pc_control->stopped || pc_options.gdbserver)
		return;
	for (;;)
		VG_(kill)((Int)my_pid(), VKI_SIGKILL);
}

static void nap(Long nanoseconds)
{
	struct vki_timespec time = {0, nanoseconds};
	VG_(do_syscall)(__NR_nanosleep, (UWord)&time, 0, 0, 0, 0, 0, 0, 0);
}

static void map_chunk(ULong number);

static void take_lock(void)
{
	UInt self = my_pid();
	UInt owner = 0;
	UInt tries = 0;
	while (!__atomic_compare_exchange_n(&pc_control->lock, &owner, self, False, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
		if (owner == self)
			return; /* left from an interrupted step, but ours */
		if (++tries % 64 == 0) {
			die_if_stopped();
			if (tries % 1024 == 0 && is_dead(owner) &&
					__atomic_compare_exchange_n(&pc_control->lock, &owner, self, False, __ATOMIC_ACQUIRE,
							__ATOMIC_RELAXED))
				return;
			nap(20000);
		} else {
			VG_(do_syscall)(__NR_sched_yield, 0, 0, 0, 0, 0, 0, 0, 0);
		}
		owner = 0;
	}
}

void pc_lock(void)
{
	if (lock_depth++ > 0 || !pc_control->shared)
		return;
	take_lock();
	die_if_stopped();
	if (pc_control->chunk_count > 0) {
		if (pc_control->current_chunk >= pc_control->chunk_count) // Its maker was killed before it said so.
			__atomic_store_n(&pc_control->chunk_count, (UInt)pc_control->current_chunk + 1, __ATOMIC_RELEASE);
		if (chunk == NULL || chunk_number != pc_control->current_chunk)
			map_chunk(pc_control->current_chunk);
		position = chunk->used; /* also drops what a dead owner appended but did not publish */
	}
}

void pc_unlock(void)
{
	tl_assert(lock_depth > 0);
	if (--lock_depth > 0 || !pc_control->shared)
		return;
	__atomic_store_n(&pc_control->lock, 0, __ATOMIC_RELEASE);
}

void pc_await_children(void)
{
	static int16_t killed; /* before they could begin */
	for (UInt naps = 0; pc_control->starting > killed; naps++) {
		die_if_stopped();
		if (naps == MOST_NAPS)
			killed = pc_control->starting;
		else
			nap(NAP_NS);
	}
}

/* Whether a process forked a child that has not begun, and no other process is left to wait for it. */
static Bool leaves_children(UInt pid)
{
	if (pc_control->starting <= 0)
		return False;
	for (UInt i = 0; i < POWERCUT_MAX_PROCESSES; i++) {
		UInt other = pc_control->processes[i];
		if (other != 0 && other != pid && !is_dead(other))
			return False;
	}
	return True;
}

void pc_lock_once_children_run(void)
{
	/*
	 * The answer holds only under the lock: two processes that end at once would each leave it to the other. A child
	 * that has not run after a second was killed before it could.
	 */
	pc_lock();
	for (UInt naps = 0; naps < MOST_NAPS && leaves_children(my_pid()); naps++) {
		pc_unlock();
		nap(NAP_NS);
		pc_lock();
	}
}

void pc_trace_before_fork(void)
{
	pc_control->shared = 1;
	if (pc_has_company)
		return;
	pc_has_company = True;
	VG_(discard_translations)(0, ~0ULL, "stores are one step with their records from here on");
}

void pc_trace_after_fork_in_child(void)
{
	cached_pid = 0;
	die_if_stopped();
}

/* --------------------------------------------------------------- chunks */

static void chunk_path(HChar *path, ULong number)
{
	VG_(snprintf)(path, PATH_SIZE, "%s/" POWERCUT_CHUNK_NAME, pc_options.trace_dir, number);
}

static Int open_or_give_up(const HChar *path, Int flags)
{
	SysRes opened = VG_(open)(path, flags, 0644);
	if (sr_isError(opened))
		pc_give_up("cannot open %s of the trace (error %lu); is there space and permission in %s?", path,
				sr_Err(opened), pc_options.trace_dir);
	return VG_(safe_fd)((Int)sr_Res(opened));
}

static void *map_shared(Int fd, SizeT size, const HChar *path)
{
	SysRes mapped = VG_(am_shared_mmap_file_float_valgrind)(size, VKI_PROT_READ | VKI_PROT_WRITE, fd, 0);
	if (sr_isError(mapped))
		pc_give_up("cannot map %s (error %lu)", path, sr_Err(mapped));
	VG_(close)(fd);
	return (void *)sr_Res(mapped);
}

static Bool reserve_space(Int fd, SizeT from, SizeT to)
{
	SysRes reserved = VG_(do_syscall)(__NR_fallocate, (UWord)fd, 0, from, to - from, 0, 0, 0, 0);
	return !sr_isError(reserved) || sr_Err(reserved) == VKI_EOPNOTSUPP || sr_Err(reserved) == VKI_ENOSYS;
}

static void disk_is_full(const HChar *path)
{
	pc_give_up(
			"cannot get %lu KiB of space for %s: the disk is full. Free some space, keep the trace elsewhere, or bound "
			"it with a window",
			RESERVE_STEP / 1024, path);
}

static void map_chunk(ULong number)
{
	HChar path[PATH_SIZE];
	if (chunk != NULL)
		VG_(am_munmap_valgrind)((Addr)chunk, pc_options.chunk_size);
	chunk_path(path, number);
	chunk = map_shared(open_or_give_up(path, VKI_O_RDWR), pc_options.chunk_size, path);
	chunk_number = number;
	position = chunk->used;
}

static void wait_for_window(ULong number)
{
	HChar path[PATH_SIZE];
	struct vg_stat status;
	if (pc_options.window == 0 || number < pc_options.window)
		return;
	chunk_path(path, number - pc_options.window);
	while (!sr_isError(VG_(stat)(path, &status))) {
		struct vki_timespec nap = {0, 200000};
		VG_(do_syscall)(__NR_nanosleep, (UWord)&nap, 0, 0, 0, 0, 0, 0, 0);
	}
}

static void create_chunk(ULong number)
{
	HChar path[PATH_SIZE];
	wait_for_window(number);
	if (chunk != NULL)
		VG_(am_munmap_valgrind)((Addr)chunk, pc_options.chunk_size);
	chunk = NULL;
	chunk_path(path, number);
	// It is there if a process was killed while it made it: nobody has read or written anything of it then.
	Int fd = open_or_give_up(path, VKI_O_RDWR | VKI_O_CREAT | VKI_O_TRUNC);
	SysRes sized = VG_(do_syscall)(__NR_ftruncate, (UWord)fd, pc_options.chunk_size, 0, 0, 0, 0, 0, 0);
	SizeT reserved = RESERVE_STEP < pc_options.chunk_size ? RESERVE_STEP : pc_options.chunk_size;
	if (sr_isError(sized) || !reserve_space(fd, 0, reserved))
		disk_is_full(path);
	chunk = map_shared(fd, pc_options.chunk_size, path);
	VG_(memcpy)((void *)chunk->magic, POWERCUT_CHUNK_MAGIC, 8);
	chunk->version = POWERCUT_TRACE_VERSION;
	chunk->header_size = sizeof(struct powercut_chunk);
	chunk->number = number;
	chunk->reserved_to = (UInt)reserved;
	chunk->used = sizeof(struct powercut_chunk);
	chunk_number = number;
	position = chunk->used;
	pc_control->current_chunk = number;
	__atomic_store_n(&pc_control->chunk_count, (UInt)number + 1, __ATOMIC_RELEASE);
}

static void reserve_up_to(SizeT end)
{
	HChar path[PATH_SIZE];
	SizeT to = (end + RESERVE_STEP - 1) & ~(RESERVE_STEP - 1);
	if (to > pc_options.chunk_size)
		to = pc_options.chunk_size;
	chunk_path(path, chunk_number);
	Int fd = open_or_give_up(path, VKI_O_RDWR);
	if (!reserve_space(fd, chunk->reserved_to, to))
		disk_is_full(path);
	VG_(close)(fd);
	chunk->reserved_to = (UInt)to;
}

/* -------------------------------------------------------------- records */

void *pc_append(UInt kind, UInt flags, ThreadId tid, SizeT length)
{
	tl_assert(lock_depth > 0);
	if (UNLIKELY(pc_joins_waiting != 0))
		pc_joins_due(tid);
	if (UNLIKELY(chunk == NULL)) {
		create_chunk(0);
	} else if (UNLIKELY(position + length > pc_options.chunk_size)) {
		__atomic_store_n(&chunk->closed, 1, __ATOMIC_RELEASE);
		create_chunk(chunk_number + 1);
	}
	if (UNLIKELY(position + length > chunk->reserved_to))
		reserve_up_to(position + length);
	struct powercut_record *record = (struct powercut_record *)((Addr)chunk + position);
	record->kind = (UChar)kind;
	record->flags = (UChar)flags;
	record->thread = (UShort)pc_thread_id(tid);
	record->length = (UInt)length;
	position += length;
	return record;
}

void pc_commit(void)
{
	__atomic_store_n(&chunk->used, position, __ATOMIC_RELEASE);
}

/* -------------------------------------------------------------- control */

static void control_path(HChar *path)
{
	VG_(snprintf)(path, PATH_SIZE, "%s/" POWERCUT_CONTROL_NAME, pc_options.trace_dir);
}

static void init_control(void)
{
	struct powercut_control *control = pc_control;
	control->version = POWERCUT_TRACE_VERSION;
	control->header_size = sizeof(struct powercut_control);
	control->chunk_size = (UInt)pc_options.chunk_size;
	control->window = pc_options.window;
	control->next_thread = control->next_site = control->next_module = control->next_stack = control->next_file = 1;
	control->active = VG_(sizeXA)(pc_options.begin) == 0;
	control->random = RANDOM_SEED;
	control->reserved_to = CONTROL_STEP;
	__asm__ volatile("" ::: "memory");
	VG_(memcpy)(control->magic, POWERCUT_CONTROL_MAGIC, 8); /* last: a reader that sees it sees the rest */
}

static void create_control(const HChar *path, Int fd)
{
	SysRes sized = VG_(do_syscall)(__NR_ftruncate, (UWord)fd, POWERCUT_CONTROL_SIZE, 0, 0, 0, 0, 0, 0);
	if (sr_isError(sized) || !reserve_space(fd, 0, CONTROL_STEP))
		pc_give_up("cannot get space for %s: the disk is full", path);
	pc_control = map_shared(fd, POWERCUT_CONTROL_SIZE, path);
	init_control();
}

void pc_control_grows(SizeT end)
{
	HChar path[PATH_SIZE];
	SizeT to = (end + CONTROL_STEP - 1) & ~(CONTROL_STEP - 1);
	if (end <= pc_control->reserved_to)
		return;
	if (to > POWERCUT_CONTROL_SIZE)
		to = POWERCUT_CONTROL_SIZE;
	control_path(path);
	Int fd = open_or_give_up(path, VKI_O_RDWR);
	if (!reserve_space(fd, pc_control->reserved_to, to))
		pc_give_up("cannot get space for %s: the disk is full", path);
	VG_(close)(fd);
	pc_control->reserved_to = to;
}

/* A process that was started by exec finds the trace of its execution. */
static void join_control(const HChar *path)
{
	struct powercut_control *control = map_shared(open_or_give_up(path, VKI_O_RDWR), POWERCUT_CONTROL_SIZE, path);
	if (VG_(memcmp)(control->magic, POWERCUT_CONTROL_MAGIC, 8) != 0 || control->version != POWERCUT_TRACE_VERSION)
		pc_give_up("%s is not the control file of a trace of version %d", path, POWERCUT_TRACE_VERSION);
	if (control->ended || control->live == 0)
		pc_give_up("%s belongs to a trace that is complete; give an empty directory", path);
	pc_control = control;
	pc_options.chunk_size = control->chunk_size;
	pc_options.window = control->window;
	pc_control->shared = 1;
	pc_has_company = True;
}

void pc_trace_open(void)
{
	HChar path[PATH_SIZE];
	control_path(path);
	SysRes created = VG_(open)(path, VKI_O_RDWR | VKI_O_CREAT | VKI_O_EXCL, 0644);
	if (!sr_isError(created))
		create_control(path, VG_(safe_fd)((Int)sr_Res(created)));
	else if (sr_Err(created) == VKI_EEXIST)
		join_control(path);
	else if (sr_Err(created) == VKI_EACCES)
		pc_give_up(
				"user %lu may not create %s. A program that changes its user and then runs another program cannot be "
				"followed: run Powercut itself as that user",
				(UWord)VG_(geteuid)(), path);
	else
		pc_give_up("cannot create %s (error %lu); --trace must name a directory that exists and can be written", path,
				sr_Err(created));
}
