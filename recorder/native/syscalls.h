/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Around every system call. */
#ifndef RECORDER_SYSCALLS_H
#define RECORDER_SYSCALLS_H

#include "pub_tool_basics.h"

void pc_syscalls_init(void);
void pc_before_syscall(ThreadId tid, UInt number, UWord *args, UInt count);
void pc_after_syscall(ThreadId tid, UInt number, UWord *args, UInt count, SysRes result);

#endif
