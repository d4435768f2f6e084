/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Now and then, what some pages of PM hold is recorded. */
#ifndef RECORDER_CHECK_H
#define RECORDER_CHECK_H

#include "pub_tool_basics.h"

/* Before a fence. Lock held. */
void pc_check_at_fence(ThreadId tid);
/* A store was recorded that the kernel has not made yet: no checks from now on. */
void pc_check_is_early(void);

#endif
