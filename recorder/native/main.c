/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorder: a Valgrind tool that records what a program does to its persistent memory, and can stop it at a failure
 * point.
 */
#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_options.h"
#include "pub_tool_tooliface.h"

#include "allocators.h"
#include "determinism.h"
#include "events.h"
#include "executed.h"
#include "instrument.h"
#include "kernel.h"
#include "leaves.h"
#include "limits.h"
#include "loads.h"
#include "locks.h"
#include "mappings.h"
#include "options.h"
#include "outputs.h"
#include "paths.h"
#include "python_frames.h"
#include "reads.h"
#include "requests.h"
#include "schedule.h"
#include "sites.h"
#include "stacks.h"
#include "syscalls.h"
#include "threads.h"
#include "trace.h"

static void on_kernel_write(CorePart part, ThreadId tid, Addr address, SizeT size)
{
	if (part == Vg_CoreSysCall)
		pc_kernel_store(tid, address, size);
	else if (part == Vg_CoreSignal)
		pc_signal_frame(tid, address, size);
}

static void before_kernel_write(CorePart part, ThreadId tid, const HChar *what, Addr address, SizeT size)
{
	(void)what;
	if (part == Vg_CoreSysCall)
		pc_before_kernel_store(tid, address, size);
}

static void before_kernel_read(CorePart part, ThreadId tid, const HChar *what, Addr address, SizeT size)
{
	/* msync's range is to be addressable, says Valgrind. The program learns nothing of what is there. */
	if (VG_(strcmp)(what, "msync(start)") == 0)
		return;
	pc_kernel_read(tid, address, size);
	if (part == Vg_CoreSysCall)
		pc_kernel_load(tid, address, size);
}

static void on_run(ThreadId tid, ULong blocks)
{
	(void)blocks;
	pc_schedule_runs(tid);
	pc_events_thread_runs(tid);
	pc_python_look();
	pc_hull_to(tid);
}

/*
 * When registers are up to date. gdb wants to see all of them, at each instruction. JIT compilers, such as Java's, let a
 * load fault, and their signal handlers read any register. So code that is in no file has them at each access to memory.
 * Handlers of other programs read few, if they return at all.
 */
static void registers_to_see(void)
{
	if (pc_options.gdbserver) {
		VG_(clo_vex_control).iropt_register_updates_default = VexRegUpdAllregsAtEachInsn;
		return;
	}
	VG_(clo_px_file_backed) = VG_(clo_vex_control).iropt_register_updates_default;
	VG_(clo_vex_control).iropt_register_updates_default = VexRegUpdAllregsAtMemAccess;
}

static void post_clo_init(void)
{
	pc_options_check();
	registers_to_see();
	/* Most code runs once, when programs start; blocks that continue at the targets of jumps translate it again and again. */
	VG_(clo_vex_control).guest_chase = False;
	pc_trace_open();
	pc_paths_init();
	pc_mappings_init();
	pc_leaves_open();
	pc_events_init();
	pc_syscalls_init();
	pc_kernel_init();
	pc_threads_init();
	pc_determinism_init();
	pc_outputs_init();
	pc_reads_init();
	if (pc_options.reads || pc_options.races)
		VG_(track_pre_mem_read)(before_kernel_read);
	pc_loads_init();
	pc_locks_init();
	pc_allocators_init();
	pc_executed_init();
	pc_limits_init();
	pc_schedule_init();
}

static void fini(Int status)
{
	pc_threads_end_process(status);
}

static void pre_clo_init(void)
{
	VG_(details_name)("powercut");
	VG_(details_version)("1");
	VG_(details_description)("recorder of persistent-memory events");
	VG_(details_copyright_author)("GPL-2.0-or-later");
	VG_(details_bug_reports_to)("the project");
	VG_(details_avg_translation_sizeB)(320);
	VG_(basic_tool_funcs)(post_clo_init, pc_instrument, fini);
	pc_options_init();
	pc_requests_init();
	VG_(needs_syscall_wrapper)(pc_before_syscall, pc_after_syscall);
	VG_(track_post_mem_write)(on_kernel_write);
	VG_(track_pre_mem_write)(before_kernel_write);
	VG_(track_die_mem_munmap)(pc_sites_forget);
	VG_(track_start_client_code)(on_run);
	VG_(track_pre_deliver_signal)(pc_stacks_signal_delivered);
	VG_(track_post_deliver_signal)(pc_stacks_signal_returned);
}

VG_DETERMINE_INTERFACE_VERSION(pre_clo_init)
