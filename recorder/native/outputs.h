/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the target wrote to others (--outputs). */
#ifndef RECORDER_OUTPUTS_H
#define RECORDER_OUTPUTS_H

#include "pub_tool_basics.h"

void pc_outputs_init(void);
/* A line that the target says is acknowledged, without writing it anywhere. */
void pc_outputs_acknowledged(ThreadId tid, Addr bytes, SizeT size);
void pc_outputs_before_syscall(ThreadId tid, UInt number, const UWord *args);
void pc_outputs_after_syscall(ThreadId tid, UInt number, const UWord *args, SysRes result);

#endif
