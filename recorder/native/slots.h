/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory for as many threads as there could be, at the cost of those there are. */
#ifndef RECORDER_SLOTS_H
#define RECORDER_SLOTS_H

#include "pub_tool_basics.h"

/* Every ThreadId is below it. VG_N_THREADS grows with the threads that there are. */
UInt pc_most_threads(void);
/* Zeros that take memory and time only where they are written; never freed. */
void *pc_zeros(SizeT count, SizeT size);

#endif
