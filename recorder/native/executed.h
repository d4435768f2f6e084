/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which code was executed (--executed). */
#ifndef RECORDER_EXECUTED_H
#define RECORDER_EXECUTED_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

void pc_executed_init(void);
/* Code is about to be executed for the first time; begins: it holds the entry of a function of --begin. */
void pc_executed(const VexGuestExtents *extents, Bool begins);
/* Failure points count from here on: code that runs again is reported again. */
void pc_executed_begins(void);

#endif
