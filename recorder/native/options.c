/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line: what is recorded, where it goes, and where to stop. */
#include "options.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_seqmatch.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_xarray.h"

#include "declared.h"
#include "hold.h"

Options pc_options = {.chunk_size = 16UL << 20, .record = True, .occurrence = 1, .quantum = 100000};

#define LARGEST_SEED 0x7fffffffffffffffLL

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
	} else if (VG_BOOL_CLO(arg, "--acknowledged", pc_options.acknowledged)) {
	} else if (VG_BOOL_CLO(arg, "--reads", pc_options.reads)) {
	} else if (VG_XACT_CLO(arg, "--requests=ranges", pc_options.ranges, True)) {
	} else if (VG_BOOL_CLO(arg, "--requests", pc_options.requests)) {
	} else if (VG_BOOL_CLO(arg, "--races", pc_options.races)) {
	} else if (VG_XACT_CLO(arg, "--accesses=pm", pc_options.accesses, False)) {
	} else if (VG_XACT_CLO(arg, "--accesses=all", pc_options.accesses, True)) {
	} else if (VG_BOOL_CLO(arg, "--atomics", pc_options.atomics)) {
	} else if (VG_STR_CLO(arg, "--synchronise", text)) {
		if (!pc_declare(text))
			VG_(fmsg_bad_option)(arg, "want ROLE:MODE:LOCK:SUCCESS:FUNCTION, at most %d times\n", MAX_DECLARED);
	} else if (VG_STR_CLO(arg, "--allocator", text)) {
		if (!pc_declare_allocator(text))
			VG_(fmsg_bad_option)(arg, "want ADDRESS:SIZE:OLD:SUCCESS:FUNCTION, at most %d times\n", MAX_DECLARED);
	} else if (VG_BOOL_CLO(arg, "--executed", pc_options.executed)) {
	} else if (VG_BOOL_CLO(arg, "--loader", pc_options.loader)) {
	} else if (VG_BOOL_CLO(arg, "--check-blocks", pc_options.check_blocks)) {
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
	} else if (VG_XACT_CLO(arg, "--schedule=default", pc_options.policy, POLICY_DEFAULT)) {
	} else if (VG_XACT_CLO(arg, "--schedule=pct", pc_options.policy, POLICY_PCT)) {
	} else if (VG_XACT_CLO(arg, "--schedule=delay", pc_options.policy, POLICY_DELAY)) {
	} else if (VG_XACT_CLO(arg, "--schedule=system", pc_options.policy, POLICY_SYSTEM)) {
	} else if (VG_BINT_CLO(arg, "--schedule-seed", pc_options.schedule_seed, 0, LARGEST_SEED)) {
	} else if (VG_BINT_CLO(arg, "--quantum", pc_options.quantum, 1, 1000000000)) {
	} else if (VG_STR_CLO(arg, "--schedule-out", pc_options.schedule_out)) {
	} else if (VG_STR_CLO(arg, "--schedule-in", pc_options.schedule_in)) {
	} else if (VG_STR_CLO(arg, "--schedule-process", pc_options.schedule_process)) {
	} else if (VG_STR_CLO(arg, "--hold", text)) {
		if (!pc_hold_parse(text))
			VG_(fmsg_bad_option)(arg, "want WRITER:STORE:BLOCKS or WRITER:STORE:BLOCKS:READER, all from 1\n");
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
			"    --acknowledged=yes|no     outputs after a PM store count as stores do for failure points [no]\n"
			"    --reads=yes|no            write which lines of PM were read, with --record=no, too [no]\n"
			"    --requests=yes|no|ranges  do what the target asks for by powercut.h [no]\n"
			"    --races=yes|no            write what threads load from PM, and how they synchronise [no]\n"
			"    --accesses=pm|all         all: also write what threads load and store in any memory; with --races=yes [pm]\n"
			"    --synchronise=acquire|release:exclusive|shared:LOCK:SUCCESS:FUNCTION\n"
			"                              a function of the target that acquires or releases a lock, as in\n"
			"                              acquire:exclusive:1:4r=0:my_trylock (declared.c explains it)\n"
			"    --allocator=ADDRESS:SIZE:OLD:SUCCESS:FUNCTION\n"
			"                              a function of the target that allocates memory, as in r:1:-:-:my_alloc\n"
			"    --atomics=yes|no          a word that is swapped is a lock until it is stored to [no]\n"
			"    --executed=yes|no         write which code was executed into \"executed\" in the trace's directory [no]\n"
			"    --check-blocks=yes|no     check each instrumented block of code, to test the recorder itself [no]\n"
			"    --stacks=failure-points|all        which events carry their call stack [failure-points]\n"
			"    --granularity=persistency|store    store: failure points before stores, too [persistency]\n"
			"    --loader=yes|no           failure points in the dynamic loader, too, as when it binds a function [no]\n"
			"    --exclude=F,...           no failure points in stacks with these functions (* and ? allowed)\n"
			"    --begin=F,...             failure points only from the entry of one of these functions on\n"
			"    --end=F,...               ... until the entry of one of these\n"
			"    --leaves=FILE             stop at the first unvisited leaf of FILE\n"
			"    --occurrence=N            ... at its N-th visit [1]\n"
			"    --on-stop=kill|gdbserver  how to stop [kill]\n"
			"    --deterministic=yes|no|time|random  what is the same in every execution [no]\n"
			"    --schedule=default|pct|delay|system  which of several threads runs; system: whichever comes first [default]\n"
			"    --schedule-seed=N         chance for pct and delay [0]\n"
			"    --quantum=N               blocks of code that a thread runs before another one may [100000]\n"
			"    --schedule-out=PREFIX     write the schedule of each process with several threads to PREFIX-NUMBER\n"
			"    --schedule-in=PREFIX      run threads as these files say, with their policy\n"
			"    --hold=WRITER:STORE:BLOCKS[:READER[:PERSISTER]]\n"
			"                              keep a thread of the trace from persisting its STORE-th store (hold.h)\n";
	VG_(printf)("%s", usage);
}

static void print_debug_usage(void)
{
	VG_(printf)("    (none)\n");
}

static void require_absolute(const HChar *option, const HChar *value)
{
	if (value == NULL)
		VG_(fmsg_bad_option)(option, "powercut needs it\n");
	else if (value[0] != '/')
		VG_(fmsg_bad_option)(value, "%s wants an absolute path: the target may change directory before exec\n", option);
}

void pc_options_check(void)
{
	pc_options.races |= pc_options.policy == POLICY_DELAY; /* it must see releases */
	pc_options.atomics &= pc_options.races;
	pc_options.accesses &= pc_options.races && pc_options.record;
	require_absolute("--pm-dir", pc_options.pm_dir);
	require_absolute("--trace", pc_options.trace_dir);
	if (pc_options.schedule_out != NULL)
		require_absolute("--schedule-out", pc_options.schedule_out);
	if (pc_options.schedule_in != NULL)
		require_absolute("--schedule-in", pc_options.schedule_in);
	if (pc_options.leaves != NULL)
		require_absolute("--leaves", pc_options.leaves);
}

static XArray *no_patterns(const HChar *name)
{
	return VG_(newXA)(VG_(malloc), name, VG_(free), sizeof(const HChar *));
}

void pc_options_init(void)
{
	pc_options.exclude = no_patterns("pc.exclude");
	pc_options.begin = no_patterns("pc.begin");
	pc_options.end = no_patterns("pc.end");
	VG_(needs_command_line_options)(process_option, print_usage, print_debug_usage);
}
