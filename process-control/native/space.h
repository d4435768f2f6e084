// SPDX-License-Identifier: Apache-2.0
#ifndef POWERCUT_SPACE_H
#define POWERCUT_SPACE_H

#include <stdint.h>

struct space_guard {
	const char *directory;
	uint64_t reserve; // bytes that the directory's file system must keep free; 0: no limit
	uint64_t limit; // bytes that the directory's files may occupy; 0: no limit
};

enum space_state { SPACE_FINE = 0, SPACE_RESERVE_TOUCHED = 1, SPACE_LIMIT_EXCEEDED = 2 };

// Checks one directory; *seen becomes how much is free or occupied.
enum space_state space_check(const struct space_guard *guard, uint64_t *seen);

#endif
