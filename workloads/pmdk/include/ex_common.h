/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What PMDK's examples expect of their own "ex_common.h", which Debian's package leaves out. Only what the
 * examples compiled here use.
 */
#ifndef EX_COMMON_H
#define EX_COMMON_H

#include <stdint.h>
#include <unistd.h>

#define MIN(a, b) (((a) < (b)) ? (a) : (b))

#define CREATE_MODE_RW (0600)

/* Zero when the file is there, as the examples want it. */
static inline int file_exists(const char *path)
{
	return access(path, F_OK);
}

/* Position of the most significant set bit, -1 if there is none. */
static inline int find_last_set_64(uint64_t value)
{
	return value == 0 ? -1 : 63 - __builtin_clzll(value);
}

#endif
