/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names below --pm-dir that come, go and move. */
#ifndef RECORDER_NAMES_H
#define RECORDER_NAMES_H

#include "pub_tool_basics.h"

void pc_names_before_syscall(ThreadId tid, UInt number, const UWord *args);
void pc_names_after_syscall(ThreadId tid, UInt number, const UWord *args, SysRes result);

#endif
