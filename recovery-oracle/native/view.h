/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The watcher's own mapping of watched pages. What it does there the program sees in its shared mappings, while they
 * stay closed.
 */
#ifndef READS_VIEW_H
#define READS_VIEW_H

#include "lines.h"

#include <sys/types.h>

/* Maps the pages of a file that a process has open, as far as that is allowed. */
void view_map(pid_t tid, int file, struct page *first, size_t count);
/* Bytes of one page. False when there is no such mapping, or no longer a page. */
bool view_read(const struct page *page, unsigned from, void *to, unsigned size);
bool view_write(const struct page *page, unsigned to, const void *from, unsigned size);

#endif
