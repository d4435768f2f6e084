/* SPDX-License-Identifier: Apache-2.0 */
#ifndef POWERCUT_PAGE_HASH_H
#define POWERCUT_PAGE_HASH_H

#include <stdint.h>

#define PAGE_SIZE 4096

typedef struct {
	uint64_t low;
	uint64_t high;
} page_hash;

/* 128 bits over a page's content. Both words are 0 for a page of zeros, be it a hole or not. */
page_hash hash_page(const void *page);

#endif
