// SPDX-License-Identifier: Apache-2.0
// Everything that a process started, however it tried to escape. As a subreaper we become the parent of every orphan,
// so nothing leaves the tree below us.
#ifndef POWERCUT_DESCENDANTS_H
#define POWERCUT_DESCENDANTS_H

#include <stdint.h>
#include <sys/types.h>

typedef void descendant_visitor(pid_t pid, void *context);

// Visits every descendant of the process (zombies too), parents before their children.
void descendants_visit(pid_t root, descendant_visitor *visit, void *context);
// Sends SIGKILL to every descendant of this process that there is now.
void descendants_kill(void);
// Bytes of anonymous memory of all descendants of this process; pages shared by fork count more than once.
uint64_t descendants_memory(void);
// Nanoseconds of processor time that all of them have used that there are now, without those that have ended.
uint64_t descendants_cpu(void);

#endif
