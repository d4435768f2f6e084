/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a process of the target dies. If a signal kills it, its stack goes to the file "death-PID" in the trace's
 * directory. If Valgrind itself fails, the control file says so.
 */
#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_stacktrace.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"

#include "core_api.h"
#include "options.h"
#include "paths.h"
#include "schedule.h"
#include "sites.h"
#include "stacks.h"
#include "trace.h"

#define MAX_FRAMES 64
#define LINE_SIZE 1024

/* enum VgSchedReturnCode of coregrind/pub_core_threadstate.h */
#define OF_A_FATAL_SIGNAL 3

/* What comes before main is of no interest. */
static Bool begins_the_program(const HChar *place)
{
	return VG_(strncmp)(place, "(below main)", 12) == 0 || VG_STREQ(place, "an unknown function");
}

/* A line for each frame, innermost first, as the debugger writes it: "#0  function (file:line)". */
static void write_stack(Int fd, ThreadId tid)
{
	Addr frames[MAX_FRAMES];
	HChar place[LINE_SIZE];
	HChar line[LINE_SIZE + 16];
	UInt count = pc_frames(tid, frames, MAX_FRAMES);
	UInt number = 0;
	for (UInt i = 0; i < count; i++) {
		for (UInt inlined = 0, all = 1; inlined < all; inlined++) {
			all = pc_describe(frames[i], inlined, place, sizeof place);
			if (i > 0 && begins_the_program(place))
				return;
			VG_(write)(fd, line, (Int)VG_(snprintf)(line, sizeof line, "#%-2u %s\n", number++, place));
		}
	}
}

static void keep_stack(ThreadId tid)
{
	HChar path[PATH_SIZE];
	VG_(snprintf)(path, sizeof path, "%s/" POWERCUT_DEATH_NAME, pc_options.trace_dir, VG_(getpid)());
	Int fd = VG_(fd_open)(path, VKI_O_WRONLY | VKI_O_CREAT | VKI_O_TRUNC | VKI_O_CLOEXEC, 0644);
	if (fd < 0)
		return;
	write_stack(fd, tid);
	VG_(close)(fd);
}

#define DEFINE_END(name) \
	void __real_##name(ThreadId, UInt); \
	void __wrap_##name(ThreadId, UInt); \
	void __wrap_##name(ThreadId tid, UInt why) \
	{ \
		if (why == OF_A_FATAL_SIGNAL && pc_control != NULL) \
			keep_stack(tid); \
		pc_schedule_process_ends(); \
		__real_##name(tid, why); \
	}
#define WRAP_END(name) DEFINE_END(name)
WRAP_END(vgPlain_nuke_all_threads_except)

/* What Valgrind prints of a fatal signal. */
#define DEFINE_PRINT(name) \
	void __wrap_##name(ThreadId, UInt); \
	void __wrap_##name(ThreadId tid, UInt most) \
	{ \
		Addr frames[MAX_FRAMES]; \
		UInt count = pc_frames(tid, frames, most < MAX_FRAMES ? most : MAX_FRAMES); \
		VG_(pp_StackTrace)(VG_(current_DiEpoch)(), frames, count); \
	}
#define WRAP_PRINT(name) DEFINE_PRINT(name)
WRAP_PRINT(vgPlain_get_and_pp_StackTrace)

/* -------------------------------------------------- failures of Valgrind */

static void failed(const HChar *what)
{
	HChar text[POWERCUT_ERROR_SIZE];
	ThreadId tid = VG_(get_running_tid)();
	static Bool again;
	if (again || pc_control == NULL)
		return;
	again = True;
	VG_(snprintf)(text, sizeof text, "Valgrind, which records the target, failed: %s", what);
	pc_set_error(POWERCUT_ERROR_RECORDER, text);
	if (tid != VG_INVALID_THREADID)
		keep_stack(tid);
}

#define DEFINE_ASSERTION(name) \
	void __real_##name(Bool, const HChar *, const HChar *, Int, const HChar *, const HChar *, ...) \
			__attribute__((noreturn)); \
	void __wrap_##name(Bool, const HChar *, const HChar *, Int, const HChar *, const HChar *, ...) \
			__attribute__((noreturn)); \
	void __wrap_##name(Bool is_core, const HChar *condition, const HChar *file, Int line, const HChar *function, \
			const HChar *format, ...) \
	{ \
		HChar more[512]; \
		HChar text[1024]; \
		va_list arguments; \
		va_start(arguments, format); \
		VG_(vsnprintf)(more, sizeof more, format, arguments); \
		va_end(arguments); \
		VG_(snprintf)(text, sizeof text, "%s:%d (%s): '%s' is not so. %s", file, line, function, condition, more); \
		failed(text); \
		__real_##name(is_core, condition, file, line, function, "%s", more); \
	}
#define WRAP_ASSERTION(name) DEFINE_ASSERTION(name)
WRAP_ASSERTION(vgPlain_assert_fail)

#define DEFINE_PANIC(name, parameters, arguments) \
	void __real_##name parameters __attribute__((noreturn)); \
	void __wrap_##name parameters __attribute__((noreturn)); \
	void __wrap_##name parameters \
	{ \
		failed(what); \
		__real_##name arguments; \
	}
#define WRAP_PANIC(name, parameters, arguments) DEFINE_PANIC(name, parameters, arguments)
WRAP_PANIC(vgPlain_core_panic, (const HChar *what), (what))
WRAP_PANIC(vgPlain_core_panic_at, (const HChar *what, void *registers), (what, registers))
