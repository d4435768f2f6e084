/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The leaves to stop at (--leaves). */
#ifndef RECORDER_LEAVES_H
#define RECORDER_LEAVES_H

#include "pub_tool_basics.h"

#include "stacks.h"

void pc_leaves_open(void);
/* Index of the leaf, -1 when it is not in the file. */
Int pc_leaf_find(ULong failure_point);
/* A failure point of the file was reached: stops here if the leaf is still unvisited. Lock held. */
void pc_leaf_reached(ThreadId tid, Stack *stack, SiteIndex site);

#endif
