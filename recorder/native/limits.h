/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The limit of open files, as the target sees it. */
#ifndef RECORDER_LIMITS_H
#define RECORDER_LIMITS_H

#include "pub_tool_basics.h"

void pc_limits_init(void);
void pc_limits_before_exec(void);

#endif
