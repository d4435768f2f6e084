/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which lines of PM files the execution reads (--reads). */
#ifndef RECORDER_READS_H
#define RECORDER_READS_H

#include "pub_tool_basics.h"

void pc_reads_init(void);
/* Called from instrumented code, before a load. */
void pc_on_read(Addr address, UWord size);
/* A system call reads that memory. */
void pc_kernel_read(ThreadId tid, Addr address, SizeT size);
/* A range of a PM file. */
void pc_read(ThreadId tid, UInt file, ULong offset, ULong size);
/* All of the file that is open as fd, if it is a PM file. */
void pc_read_all_of(ThreadId tid, Int fd);
/* The execution itself stored these bytes: reading them reveals nothing about what the files held before. */
void pc_overwritten(UInt file, ULong offset, ULong size);
void pc_reads_before_syscall(ThreadId tid, UInt number, const UWord *args);
void pc_reads_after_syscall(ThreadId tid, UInt number, const UWord *args, SysRes result);

#endif
