/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that are no PM files and are made durable nevertheless. */
#ifndef RECORDER_OUTSIDE_H
#define RECORDER_OUTSIDE_H

#include "pub_tool_basics.h"
#include "pub_tool_vki.h"
#include "pub_tool_libcfile.h"

/* A call writes to an open file that is no PM file. */
void pc_outside_write(Int fd);
/* A file that is no PM file is made durable. */
void pc_outside_sync(ThreadId tid, const struct vg_stat *status);
/* An msync of an address in no PM file. */
void pc_outside_msync(ThreadId tid, Addr address);
/* The process is about to end, or to run another program. */
void pc_outside_end(ThreadId tid);
void pc_outside_after_fork_in_child(void);

#endif
