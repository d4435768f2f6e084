/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Modes, owners and extended attributes. */
#ifndef RECORDER_ATTRIBUTES_H
#define RECORDER_ATTRIBUTES_H

#include "pub_tool_basics.h"

/*
 * Records what an open file's attributes are now; file 0: what lies at the path below --pm-dir, which is no regular
 * file.
 */
void pc_attributes_append(ThreadId tid, Int fd, UInt file, const HChar *path);
/* The same of what lies at an absolute path, unless it is an unknown file. */
void pc_attributes_at(ThreadId tid, const HChar *absolute, const HChar *relative);
/* The same of an open file, if it lies below --pm-dir. */
void pc_attributes_changed(ThreadId tid, Int fd);
/* A write or a truncation clears set-user-id and set-group-id bits unless the caller may keep them. */
void pc_attributes_after_write(ThreadId tid, Int fd, UInt file, UInt old_mode);
/* What a call is about to change, as a descriptor to be closed; -1 when it is not on --pm-dir's device. */
Int pc_attributes_target(UInt number, const UWord *args);

#endif
