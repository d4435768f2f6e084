/* SPDX-License-Identifier: Apache-2.0 */
/* Which system calls stop: those that map or read files, and those whose arguments point to closed memory. */
#ifndef READS_FILTER_H
#define READS_FILTER_H

#include "tracee.h"

/* What a stop is told of the call. */
enum { OF_64_BITS, OF_ANOTHER_KIND };

/* Makes calls of this process and of its children stop that map or read files. False when the system does not allow it. */
bool filter_start(void);
/* Makes calls of the thread's process stop as well whose arguments point there. False when that is not possible. */
bool filter_range(struct task *task, uint64_t address, uint64_t size);

#endif
