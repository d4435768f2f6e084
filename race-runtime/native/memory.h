/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks for the allocators of languages: as malloc and free, with the place that asked. */
#ifndef RACE_MEMORY_H
#define RACE_MEMORY_H

#include "detector.h"

/* alignment 0: that of malloc. NULL when there is no memory. */
void *memory_new(size_t size, size_t alignment, struct site site);
void memory_delete(void *block, struct site site);

#endif
