/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the target tells by powercut.h (--requests). */
#ifndef RECORDER_REQUESTS_H
#define RECORDER_REQUESTS_H

#include "pub_tool_basics.h"

void pc_requests_init(void);

#endif
