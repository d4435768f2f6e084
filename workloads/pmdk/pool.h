/* SPDX-License-Identifier: Apache-2.0 */
#ifndef POOL_H
#define POOL_H

#include <libpmemobj.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Creates a pool of so many MiB in a sparse file. pmemobj_create has every block of the file allocated; those that it
 * leaves empty are given back, so that a copy of the pool costs no more than what was touched. Ends the program if
 * that fails.
 */
PMEMobjpool *create_sparse_pool(const char *path, const char *layout, uint64_t mebibytes);

/* A decimal number of at least `least` from the command line; ends the program with a message otherwise. */
uint64_t parse_number(const char *what, const char *text, uint64_t least);

#endif
