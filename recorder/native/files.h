/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PM files: the regular files below --pm-dir, by their ids in the trace. */
#ifndef RECORDER_FILES_H
#define RECORDER_FILES_H

#include "pub_tool_basics.h"
#include "pub_tool_vki.h"
#include "pub_tool_libcfile.h"

/* The file's id when fd is a PM file, else 0. Defines it when it is new. */
UInt pc_file_of_fd(ThreadId tid, Int fd, Bool is_new);
/* The same when the file's status is known already; size is the one to define it with. */
UInt pc_file_of(ThreadId tid, Int fd, const struct vg_stat *status, ULong size, Bool is_new);
UInt pc_file_known(ULong device, ULong inode);
UInt pc_file_define(ThreadId tid, const struct vg_stat *status, const HChar *relative, ULong size, UInt flags);
void pc_file_deleted(ULong device, ULong inode);
/* It is mapped shared. */
void pc_file_is_mapped(UInt file);
/* The file has, or once had, more than one name. */
void pc_file_gets_name(UInt file);
Bool pc_file_has_more_names(UInt file);
/* Its only name was moved out of --pm-dir: for readers it is gone. */
void pc_file_left(UInt file);
Bool pc_file_has_left(UInt file);
void pc_append_resize(ThreadId tid, UInt file, ULong size);

#endif
