/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stores of the kernel that Valgrind does not report. */
#ifndef RECORDER_KERNEL_H
#define RECORDER_KERNEL_H

#include "pub_tool_basics.h"

void pc_kernel_init(void);
void pc_kernel_before_syscall(ThreadId tid, UInt number, const UWord *args);
void pc_kernel_after_syscall(ThreadId tid, UInt number, const UWord *args, SysRes result);
void pc_kernel_thread_created(ThreadId creator, ThreadId child);
void pc_kernel_thread_begins(ThreadId tid);
void pc_kernel_thread_ends(ThreadId tid);
void pc_kernel_after_fork_in_child(ThreadId tid);
/* A file was moved below --pm-dir: processes that mapped it before have PM now. */
void pc_file_adopted(ThreadId tid);
/* The process whose memory the open file is (/proc/PID/mem), 0 = none. */
UInt pc_process_of_memory(Int fd);
/* A call wrote into it. */
void pc_memory_written(ThreadId tid, UInt pid, Addr address, SizeT size);

#endif
