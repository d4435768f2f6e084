/* SPDX-License-Identifier: Apache-2.0 */
/* System calls that change mappings, or that read files or memory in the place of the program. */
#ifndef READS_CALLS_H
#define READS_CALLS_H

#include "tracee.h"

enum after { WHEN_DONE, NO_MORE }; /* whether its end is awaited */

enum after calls_begin(struct task *task);
void calls_end(struct task *task);

#endif
