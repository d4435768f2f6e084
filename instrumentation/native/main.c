/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorder: a Valgrind tool that writes down what a program does to its persistent memory, and stops it when told.
 */
#include "recorder.h"

Options pc_options = {.chunk_size = 16UL << 20, .record = True, .occurrence = 1};

/* -------------------------------------------------------------- options */

static void add_patterns(XArray *patterns, const HChar *list)
{
	HChar *begin = VG_(strdup)("pc.patterns", list);
	Int depth = 0;
	for (HChar *at = begin;; at++) {
		/* commas inside f(int, char) or map<int, char> belong to the name */
		if (*at == '(' || *at == '<')
			depth++;
		else if (*at == ')' || *at == '>')
			depth--;
		if (*at != 0 && (*at != ',' || depth != 0))
			continue;
		Bool is_last = *at == 0;
		*at = 0;
		if (*begin != 0)
			VG_(addToXA)(patterns, &begin);
		begin = at + 1;
		if (is_last)
			return;
	}
}

Bool pc_matches(XArray *patterns, const HChar *function)
{
	HChar base[512];
	Word count = VG_(sizeXA)(patterns);
	if (count == 0)
		return False;
	VG_(strncpy)(base, function, sizeof base - 1);
	base[sizeof base - 1] = 0;
	HChar *parameters = VG_(strchr)(base, '(');
	if (parameters != NULL && parameters != base)
		*parameters = 0;
	HChar *version = VG_(strchr)(base, '@');
	if (version != NULL)
		*version = 0;
	for (Word i = 0; i < count; i++) {
		const HChar *pattern = *(const HChar **)VG_(indexXA)(patterns, i);
		if (VG_(string_match)(pattern, function) || VG_(string_match)(pattern, base))
			return True;
	}
	return False;
}

static Bool parse_size(const HChar *text, SizeT *size)
{
	HChar *end;
	Long number = VG_(strtoll10)(text, &end);
	UInt shift = *end == 'k' || *end == 'K' ? 10 : *end == 'm' || *end == 'M' ? 20 : 0;
	number <<= shift;
	if (end == text || end[shift != 0] != 0 || number < (256 << 10) || number > (1L << 30) || number % 4096 != 0)
		return False;
	*size = (SizeT)number;
	return True;
}

static Bool process_option(const HChar *arg)
{
	const HChar *text;
	if (VG_STR_CLO(arg, "--pm-dir", pc_options.pm_dir)) {
	} else if (VG_STR_CLO(arg, "--trace", pc_options.trace_dir)) {
	} else if (VG_STR_CLO(arg, "--chunk-size", text)) {
		if (!parse_size(text, &pc_options.chunk_size))
			VG_(fmsg_bad_option)(arg, "want 256K to 1024M, a multiple of 4096\n");
	} else if (VG_BINT_CLO(arg, "--window", pc_options.window, 0, 1000000)) {
	} else if (VG_BOOL_CLO(arg, "--record", pc_options.record)) {
	} else if (VG_BOOL_CLO(arg, "--outputs", pc_options.outputs)) {
	} else if (VG_BOOL_CLO(arg, "--reads", pc_options.reads)) {
	} else if (VG_BOOL_CLO(arg, "--executed", pc_options.executed)) {
	} else if (VG_BOOL_CLO(arg, "--loader", pc_options.loader)) {
	} else if (VG_XACT_CLO(arg, "--stacks=failure-points", pc_options.stacks_all, False)) {
	} else if (VG_XACT_CLO(arg, "--stacks=all", pc_options.stacks_all, True)) {
	} else if (VG_XACT_CLO(arg, "--granularity=persistency", pc_options.every_store, False)) {
	} else if (VG_XACT_CLO(arg, "--granularity=store", pc_options.every_store, True)) {
	} else if (VG_STR_CLO(arg, "--deterministic", text)) {
		pc_options.fixed_time = VG_STREQ(text, "yes") || VG_STREQ(text, "time");
		pc_options.fixed_random = VG_STREQ(text, "yes") || VG_STREQ(text, "random");
		if (!pc_options.fixed_time && !pc_options.fixed_random && !VG_STREQ(text, "no"))
			VG_(fmsg_bad_option)(arg, "want yes, no, time or random\n");
	} else if (VG_XACT_CLO(arg, "--on-stop=kill", pc_options.gdbserver, False)) {
	} else if (VG_XACT_CLO(arg, "--on-stop=gdbserver", pc_options.gdbserver, True)) {
	} else if (VG_STR_CLO(arg, "--open-files", pc_options.open_files)) {
	} else if (VG_STR_CLO(arg, "--leaves", pc_options.leaves)) {
	} else if (VG_BINT_CLO(arg, "--occurrence", pc_options.occurrence, 1, 2000000000)) {
	} else if (VG_STR_CLO(arg, "--exclude", text)) {
		add_patterns(pc_options.exclude, text);
	} else if (VG_STR_CLO(arg, "--begin", text)) {
		add_patterns(pc_options.begin, text);
	} else if (VG_STR_CLO(arg, "--end", text)) {
		add_patterns(pc_options.end, text);
	} else {
		return False;
	}
	return True;
}

static void print_usage(void)
{
	static const HChar usage[] =
			"    --pm-dir=DIR              PM files are the regular files below DIR; absolute\n"
			"    --trace=DIR               an existing, empty directory for control file and chunks; absolute\n"
			"    --chunk-size=N[K|M]       size of a chunk [16M]\n"
			"    --window=N                chunks that may exist at once, 0 = any number [0]\n"
			"    --record=yes|no           write events; no: control file and STOP only [yes]\n"
			"    --outputs=yes|no          write what the target wrote to others, with --record=no, too [no]\n"
			"    --reads=yes|no            write which lines of PM were read, with --record=no, too [no]\n"
			"    --executed=yes|no         write which code was executed into \"executed\" in the trace's directory [no]\n"
			"    --stacks=failure-points|all        which events carry their call stack [failure-points]\n"
			"    --granularity=persistency|store    store: failure points in front of stores, too [persistency]\n"
			"    --loader=yes|no           failure points in the dynamic loader, too, as when it binds a function [no]\n"
			"    --exclude=F,...           no failure points in stacks with these functions (* and ? allowed)\n"
			"    --begin=F,...             failure points only from the entry of one of these functions on\n"
			"    --end=F,...               ... until the entry of one of these\n"
			"    --leaves=FILE             stop at the first unvisited leaf of FILE\n"
			"    --occurrence=N            ... at its N-th visit [1]\n"
			"    --on-stop=kill|gdbserver  how to stop [kill]\n"
			"    --deterministic=yes|no|time|random  what is the same in every execution [no]\n";
	VG_(printf)("%s", usage);
}

static void print_debug_usage(void)
{
	VG_(printf)("    (none)\n");
}

/* --------------------------------------------------------------- set-up */

static void require_absolute(const HChar *option, const HChar *value)
{
	if (value == NULL)
		VG_(fmsg_bad_option)(option, "powercut needs it\n");
	else if (value[0] != '/')
		VG_(fmsg_bad_option)(value, "%s wants an absolute path: the target may change directory before exec\n", option);
}

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

static void on_run(ThreadId tid, ULong blocks)
{
	(void)blocks;
	pc_events_thread_runs(tid);
	pc_hull_to(tid);
}

static void post_clo_init(void)
{
	require_absolute("--pm-dir", pc_options.pm_dir);
	require_absolute("--trace", pc_options.trace_dir);
	if (pc_options.leaves != NULL)
		require_absolute("--leaves", pc_options.leaves);
	if (pc_options.gdbserver) /* gdb wants to see all registers */
		VG_(clo_vex_control).iropt_register_updates_default = VexRegUpdAllregsAtEachInsn;
	pc_trace_open();
	pc_pm_init();
	pc_leaves_open();
	pc_events_init();
	pc_syscalls_init();
	pc_kernel_init();
	pc_threads_init();
	pc_determinism_init();
	pc_outputs_init();
	pc_reads_init();
	pc_executed_init();
	pc_limits_init();
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
	VG_(needs_command_line_options)(process_option, print_usage, print_debug_usage);
	VG_(needs_syscall_wrapper)(pc_before_syscall, pc_after_syscall);
	VG_(track_post_mem_write)(on_kernel_write);
	VG_(track_pre_mem_write)(before_kernel_write);
	VG_(track_die_mem_munmap)(pc_sites_forget);
	VG_(track_start_client_code)(on_run);
	VG_(track_pre_deliver_signal)(pc_stacks_signal_delivered);
	VG_(track_post_deliver_signal)(pc_stacks_signal_returned);
	pc_options.exclude = VG_(newXA)(VG_(malloc), "pc.exclude", VG_(free), sizeof(const HChar *));
	pc_options.begin = VG_(newXA)(VG_(malloc), "pc.begin", VG_(free), sizeof(const HChar *));
	pc_options.end = VG_(newXA)(VG_(malloc), "pc.end", VG_(free), sizeof(const HChar *));
}

VG_DETERMINE_INTERFACE_VERSION(pre_clo_init)
