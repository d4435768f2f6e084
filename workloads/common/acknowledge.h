/* SPDX-License-Identifier: Apache-2.0 */
/* How a driver reports the operations it has completed, and how a checker reads it. */
#ifndef ACKNOWLEDGE_H
#define ACKNOWLEDGE_H

#include "operations.h"

/* Writes a line "NUMBER KIND KEY" to standard output, in one write: so many operations are done, this was the last. */
void acknowledge(uint64_t done, enum operation_kind kind, uint64_t key);

enum { ACKNOWLEDGED_DAMAGED = -1 };

/*
 * How many operations a file of such lines says are done: the number in its last whole line, 0 if there is none.
 * ACKNOWLEDGED_DAMAGED if it cannot be read or its numbers do not follow one another.
 */
int64_t acknowledged_in(const char *path);

#endif
