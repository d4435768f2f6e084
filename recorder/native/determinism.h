/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time and random numbers that are the same in every execution (--deterministic). */
#ifndef RECORDER_DETERMINISM_H
#define RECORDER_DETERMINISM_H

#include "pub_tool_basics.h"
#include "pub_tool_vki.h"

/* Where the sequence of random numbers begins. */
#define RANDOM_SEED 0x9E3779B97F4A7C15ULL

void pc_determinism_init(void);
void pc_determinism_first_instruction(void);
void pc_determinism_before_syscall(ThreadId tid, UInt number, UWord *args);
void pc_determinism_after_syscall(ThreadId tid, UInt number, UWord *args, SysRes result);

/* How long it is until a point in time that the target named, in ns. */
ULong pc_time_until(Int clock, const struct vki_timespec *time);

#endif
