/* SPDX-License-Identifier: Apache-2.0 */
/* What functions of the C library and of languages do to memory, with the place that asked. */
#ifndef RACE_MEMORY_H
#define RACE_MEMORY_H

#include "detector.h"

/* alignment 0: that of malloc. NULL when there is no memory. */
void *memory_new(size_t size, size_t alignment, struct site site);
void memory_delete(void *block, struct site site);
/* A function of the C library reads or writes bytes; it counts if code with hooks called it. */
void memory_used(const void *address, size_t size, unsigned kind, struct site site);

#endif
