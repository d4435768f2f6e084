/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the command line of the recorder says. */
#ifndef RECORDER_OPTIONS_H
#define RECORDER_OPTIONS_H

#include "pub_tool_basics.h"
#include "pub_tool_xarray.h"

#include "policy.h"

typedef struct {
	const HChar *pm_dir; /* canonical after start, no slash at the end */
	const HChar *trace_dir;
	SizeT chunk_size;
	UInt window;
	Bool record;
	Bool outputs;
	Bool acknowledged; /* outputs before a thread's fence make failure points, as stores do */
	Bool reads;
	Bool requests; /* of powercut.h */
	Bool ranges; /* of these, only what it says of bytes */
	Bool races;
	Bool accesses; /* of any memory */
	Bool atomics; /* successful swaps are acquires */
	Bool executed;
	Bool loader; /* failure points in the dynamic loader */
	Bool check_blocks; /* what was made of each block of code */
	Bool stacks_all;
	Bool every_store; /* --granularity=store */
	Bool fixed_time; /* --deterministic=yes or time */
	Bool fixed_random; /* --deterministic=yes or random */
	Bool gdbserver; /* --on-stop=gdbserver */
	const HChar *leaves;
	const HChar *open_files; /* the limits of a program that was started by exec, "SOFT:HARD" */
	UInt occurrence;
	Policy policy; /* of the schedule of threads */
	Long schedule_seed;
	Long quantum; /* blocks of a time slice */
	const HChar *schedule_out; /* the beginning of its files' names */
	const HChar *schedule_in;
	const HChar *schedule_process; /* the number of a process that was started by exec */
	XArray *exclude; /* of const HChar*, patterns with * and ? */
	XArray *begin;
	XArray *end;
} Options;
extern Options pc_options;

/* Before the command line is read: defaults, and how to read it. */
void pc_options_init(void);
/* Afterwards: what must be there, and must be absolute. */
void pc_options_check(void);
/* True when a function's name, with or without its parameters, matches one of the patterns. */
Bool pc_matches(XArray *patterns, const HChar *function);

/* Whether files are defined and directories renamed in the trace: reads name files, even without other records. */
static inline Bool pc_records_files(void)
{
	return pc_options.record || pc_options.reads;
}

#endif
