/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places that functions return to whose return matters. */
#ifndef RECORDER_RETURNS_H
#define RECORDER_RETURNS_H

#include "pub_tool_basics.h"

/* Code there is instrumented anew. */
void pc_returns_note(Addr address);
Bool pc_returns_to(Addr address);

#endif
