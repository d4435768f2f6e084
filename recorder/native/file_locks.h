/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef POWERCUT_FILE_LOCKS_H
#define POWERCUT_FILE_LOCKS_H

#include "pub_tool_basics.h"

/* --races=yes: what orders processes through descriptors, which are locks of files, and pipes. */
void pc_file_locks_before_syscall(ThreadId tid, UInt number, const UWord *args);
void pc_file_locks_after_syscall(ThreadId tid, UInt number, const UWord *args, SysRes result);
/* The process ends: it gives back what it holds. */
void pc_file_locks_end_process(ThreadId tid);
/* Locks of fcntl are not inherited, and those of flock remain its parent's. */
void pc_file_locks_after_fork_in_child(void);

#endif
