// SPDX-License-Identifier: Apache-2.0
// Keeps a command out of the PM directories of others. An image may name files by absolute paths (a symbolic link, a
// pool set, a path stored in the pool). A command that opened them would judge, or change, the files of another
// execution. One that only checks whether they exist may decide by that.
//
// The kernel asks us at each call that opens, changes or looks at a file by its name (seccomp user notification). An
// allowed call costs some microseconds. Where the kernel has no such thing there is no fence.
#ifndef POWERCUT_FENCE_H
#define POWERCUT_FENCE_H

#include <limits.h>
#include <stdint.h>
#include <sys/types.h>

// In the child, before execve: puts up the fence, and sends the kernel's end through the socket. On failure nothing has
// changed.
void fence_put_up(int socket);
// In the parent: takes the kernel's end; -1 when there is none.
int fence_take(int socket);
// Answers one question. Returns 1, and the path, when the call was for a file of another execution. That call stays
// unanswered, and the caller kills the process that made it.
int fence_answer(int listener, const char *own, char path[PATH_MAX]);

#endif
