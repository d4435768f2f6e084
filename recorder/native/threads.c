/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads and processes: dense ids over the whole execution; records of starts, exits and joins. */
#include "threads.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"
#include "libvex_guest_amd64.h"

#include "accesses.h"
#include "allocators.h"
#include "core_api.h"
#include "determinism.h"
#include "events.h"
#include "file_locks.h"
#include "hashmap.h"
#include "kernel.h"
#include "kernel_abi.h"
#include "loads.h"
#include "locks.h"
#include "mappings.h"
#include "options.h"
#include "outside.h"
#include "paths.h"
#include "reads.h"
#include "schedule.h"
#include "schedule_log.h"
#include "slots.h"
#include "stacks.h"
#include "trace.h"

typedef struct {
	UInt id; /* in the trace, 0 = no such thread */
	Bool exited;
	UInt joins; /* id of the thread that it waits for in pthread_join; 0 = none */
} Thread;

static Thread *threads; /* by Valgrind's number, which the next thread gets when one has ended */

/*
 * The threads that have ended and were not joined yet: their ids, by what pthread_join gets, which is the base of their
 * thread-local storage. Until then no other thread gets that. 0 = joined.
 */
static HashMap ended;
UInt pc_joins_waiting;

static UInt next_thread_id(void)
{
	if (pc_control->next_thread > 0xffff)
		pc_give_up("the target starts more than %d threads, which the trace cannot number", 0xffff);
	return pc_control->next_thread++;
}

UInt pc_thread_id(ThreadId tid)
{
	return tid < VG_N_THREADS && threads != NULL ? threads[tid].id : 0;
}

static void append_thread(UInt kind, ThreadId tid, UInt thread, UInt creator, UInt pid)
{
	if (!pc_options.record)
		return;
	pc_lock();
	struct powercut_thread *record = pc_append(kind, 0, tid, sizeof *record);
	record->thread = thread;
	record->creator = creator;
	record->pid = pid;
	pc_commit();
	pc_unlock();
}

static void append_process(UInt kind, UInt flags, ThreadId tid, UInt other, UInt thread, const HChar *path)
{
	SizeT length = VG_(strlen)(path);
	if (!pc_options.record)
		return;
	pc_lock();
	struct powercut_process *record = pc_append(kind, flags, tid, pc_round8(sizeof *record + length));
	record->pid = (UInt)VG_(getpid)();
	record->other = other;
	record->thread = thread;
	record->path_length = (UInt)length;
	VG_(memcpy)(record->path, path, length);
	pc_commit();
	pc_unlock();
}

/* -------------------------------------------------------------- threads */

/* The start of the first process, or of a new program in a known process. */
static void start_process(ThreadId tid)
{
	static Bool started;
	if (started)
		return;
	started = True;
	Bool is_first = pc_control->live == 0;
	HChar path[PATH_SIZE] = "";
	pc_path_of_fd(VG_(cl_exec_fd), path);
	pc_register_process((UInt)VG_(getpid)());
	append_process(is_first ? POWERCUT_PROCESS_START : POWERCUT_EXEC, 0, tid, 0, 0, path);
	pc_read_all_of(tid, VG_(cl_exec_fd)); /* the program itself may be in PM */
}

static void on_create(ThreadId creator, ThreadId child)
{
	pc_lock();
	VG_(memset)(&threads[child], 0, sizeof threads[child]);
	threads[child].id = next_thread_id();
	pc_kernel_thread_created(creator, child);
	pc_locks_forget_thread(child);
	pc_allocators_forget_thread(child);
	if (creator == VG_INVALID_THREADID)
		start_process(child);
	else
		append_thread(POWERCUT_THREAD_START, creator, threads[child].id, threads[creator].id, (UInt)VG_(getpid)());
	if (creator != VG_INVALID_THREADID)
		pc_loads_second_thread();
	pc_unlock();
	if (creator != VG_INVALID_THREADID)
		pc_schedule_thread_created(creator, child);
}

static void on_first_instruction(ThreadId tid)
{
	static Bool started;
	pc_stacks_thread_starts(tid);
	pc_accesses_thread_starts(tid);
	pc_kernel_thread_begins(tid);
	if (!started)
		pc_determinism_first_instruction();
	started = True;
}

static Addr tls_base(ThreadId tid)
{
	Addr base = 0;
	VG_(get_shadow_regs_area)(tid, (UChar *)&base, 0, offsetof(VexGuestAMD64State, guest_FS_CONST), sizeof base);
	return base;
}

static void on_exit_of_thread(ThreadId tid)
{
	pc_events_thread_ends(tid);
	pc_stacks_thread_ends(tid);
	pc_kernel_thread_ends(tid);
	pc_locks_forget_thread(tid);
	pc_allocators_forget_thread(tid);
	pc_alternate_stack(tid, 0, 0);
	append_thread(POWERCUT_THREAD_EXIT, tid, threads[tid].id, 0, (UInt)VG_(getpid)());
	if (tls_base(tid) != 0)
		pc_map_put(&ended, tls_base(tid), threads[tid].id);
	threads[tid].exited = True;
	if (threads[tid].joins != 0) {
		threads[tid].joins = 0;
		pc_joins_waiting--;
	}
	pc_schedule_thread_ends(tid);
}

/* ---------------------------------------------------------------- joins */

static void joined(ThreadId tid)
{
	UInt thread = threads[tid].joins;
	threads[tid].joins = 0;
	pc_joins_waiting--;
	append_thread(POWERCUT_THREAD_JOIN, tid, thread, 0, (UInt)VG_(getpid)());
}

/* The id of one that runs; 0 = there is none. */
static UInt running(Addr pthread)
{
	for (ThreadId tid = 1; tid < VG_N_THREADS; tid++) {
		if (threads[tid].id != 0 && !threads[tid].exited && tls_base(tid) == pthread)
			return threads[tid].id;
	}
	return 0;
}

/* The id of one that has ended, which now is joined; 0 = there is none. */
static UInt take_ended(Addr pthread)
{
	UWord id = pc_map_get(&ended, pthread);
	if (id == HASHMAP_ABSENT)
		return 0;
	pc_map_put(&ended, pthread, 0);
	return (UInt)id;
}

/*
 * pthread_join was entered. Its return is not seen: a static C library cannot be wrapped, and a wrapper would show in
 * every stack. But a thread that waits in pthread_join does nothing else, so its next record comes after the join.
 */
void pc_on_join_entered(UWord pthread)
{
	ThreadId self = VG_(get_running_tid)();
	pc_joins_due(self); /* of the previous join, if nothing was recorded since */
	UInt thread = running(pthread);
	Bool is_ended = thread == 0;
	if (is_ended)
		thread = take_ended(pthread);
	if (thread == 0 || thread == threads[self].id)
		return;
	if (threads[self].joins == 0)
		pc_joins_waiting++;
	threads[self].joins = thread;
	if (is_ended)
		joined(self);
}

static Bool is_over(UInt thread)
{
	for (ThreadId tid = 1; tid < VG_N_THREADS; tid++) {
		if (threads[tid].id == thread)
			return threads[tid].exited;
	}
	return True; /* another thread has its slot already */
}

void pc_joins_due(ThreadId tid)
{
	if (tid < VG_N_THREADS && threads[tid].joins != 0 && is_over(threads[tid].joins))
		joined(tid);
}

/* ------------------------------------------------------------ processes */

static UInt parent_pid;

static void before_fork(ThreadId tid)
{
	(void)tid;
	parent_pid = (UInt)VG_(getpid)();
	pc_loads_before_fork();
	pc_trace_before_fork();
	pc_log_before_fork();
}

static void after_fork_in_parent(ThreadId tid)
{
	(void)tid;
	pc_child_begins();
}

static void after_fork_in_child(ThreadId tid)
{
	UInt creator = threads[tid].id;
	pc_trace_after_fork_in_child();
	pc_file_locks_after_fork_in_child();
	pc_outside_after_fork_in_child();
	pc_log_after_fork_in_child();
	for (ThreadId other = 1; other < VG_N_THREADS; other++) {
		if (other != tid)
			VG_(memset)(&threads[other], 0, sizeof threads[other]);
	}
	pc_joins_waiting = 0;
	pc_map_clear(&ended);
	pc_lock();
	pc_register_process((UInt)VG_(getpid)());
	pc_child_began();
	threads[tid].id = next_thread_id();
	threads[tid].joins = 0;
	append_process(POWERCUT_PROCESS_START, 0, tid, parent_pid, creator, "");
	pc_kernel_after_fork_in_child(tid);
	pc_unlock();
}

/* What a child did comes before what its parent does once it knows that the child has ended. */
void pc_threads_after_wait(ThreadId tid, UInt number, const UWord *args, SysRes result)
{
	UInt pid = 0;
	if (sr_isError(result) || (number == __NR_wait4 && sr_Res(result) == 0)) /* WNOHANG: nothing is written */
		return;
	if (number == __NR_wait4) {
		const Int *status = (const Int *)args[1];
		Bool may_only_have_stopped = (args[2] & (WUNTRACED_ | WCONTINUED_)) != 0;
		Bool has_ended = status == NULL ? !may_only_have_stopped : (*status & 0xff) != 0x7f && *status != 0xffff;
		pid = has_ended ? (UInt)sr_Res(result) : 0;
	} else if (args[2] != 0) {
		const vki_siginfo_t *child = (const vki_siginfo_t *)args[2];
		Bool has_ended =
				child->si_signo == VKI_SIGCHLD && child->si_code >= CLD_EXITED_ && child->si_code <= CLD_DUMPED_;
		pid = has_ended ? (UInt)child->_sifields._sigchld._pid : 0;
	}
	if (pid == 0)
		return;
	pc_loads_synchronised(tid);
	pc_await_children(); /* what it learns now, a child of before must not seem to know */
	append_thread(POWERCUT_PROCESS_JOIN, tid, 0, 0, pid);
}

void pc_threads_end_process(Int status)
{
	pc_store_ends(); /* of a store that faulted, which killed the process */
	pc_lock_once_children_run();
	pc_outside_end(VG_(get_running_tid)());
	pc_file_locks_end_process(VG_(get_running_tid)());
	append_process(POWERCUT_PROCESS_EXIT, pc_events_unfinished() ? POWERCUT_EXIT_UNFINISHED : 0, VG_(get_running_tid)(),
			(UInt)status, 0, "");
	pc_loads_process_ends();
	if (pc_unregister_process((UInt)VG_(getpid)())) {
		if (pc_options.record) {
			pc_append(POWERCUT_END, 0, 0, sizeof(struct powercut_record));
			pc_commit();
		}
		__atomic_store_n(&pc_control->ended, 1, __ATOMIC_RELEASE);
	}
	pc_unlock();
}

void pc_threads_init(void)
{
	threads = pc_zeros(pc_most_threads(), sizeof(Thread));
	VG_(track_pre_thread_ll_create)(on_create);
	VG_(track_pre_thread_first_insn)(on_first_instruction);
	VG_(track_pre_thread_ll_exit)(on_exit_of_thread);
	VG_(atfork)(before_fork, after_fork_in_parent, after_fork_in_child);
}
