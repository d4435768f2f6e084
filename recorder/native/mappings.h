/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where PM files are mapped. */
#ifndef RECORDER_MAPPINGS_H
#define RECORDER_MAPPINGS_H

#include "pub_tool_basics.h"

typedef struct {
	Addr start;
	Addr end;
	UInt file;
	ULong offset; /* in the file, of start */
} Mapping;

void pc_mappings_init(void);
/* The first mapping that ends above address, or NULL. */
const Mapping *pc_mapping_from(Addr address);
/* The mapping with this place in their order, or NULL. */
const Mapping *pc_mapping_at(Int index);
/* Copies what of [start, start+size) is mapped PM, at most limit pieces; returns how many. */
Int pc_mappings_in(Addr start, SizeT size, Mapping *pieces, Int limit);
void pc_mapping_add(ThreadId tid, Addr start, SizeT size, UInt file, ULong offset);
void pc_mapping_remove(ThreadId tid, Addr start, SizeT size);

/* The thread runs the target's code again: its copy of the hull (shadow.h) is brought up to date. */
void pc_hull_to(ThreadId tid);

/* A stack lies in PM, so stores relative to the stack pointer count as well. */
extern Bool pc_stack_in_pm;
/* A stack pointer came from elsewhere: perhaps the stack lies in PM. */
void pc_stack_is_at(Addr sp);
/* The thread's alternate stack for signals; size 0 = none. */
void pc_alternate_stack(ThreadId tid, Addr start, SizeT size);
Addr pc_end_of_alternate_stack(ThreadId tid);

#endif
