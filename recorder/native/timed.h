/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls that wait for a time. */
#ifndef RECORDER_TIMED_H
#define RECORDER_TIMED_H

#include "pub_tool_basics.h"

typedef enum {
	TIMED_NOT, /* or a wait for something outside the process, too */
	TIMED_SLEEP,
	TIMED_FUTEX, /* that may be woken before */
} TimedKind;

/* What the call is; if it waits for a time, also how long, in ns. */
TimedKind pc_timed_wait(UInt number, const UWord *args, ULong *ns);

#endif
