/* SPDX-License-Identifier: Apache-2.0
 *
 * XXH3 with 128 bits (Yann Collet, libxxhash-dev), compiled in: a page costs less than reading it.
 */
#include "page_hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static XXH128_hash_t of_zeros;

__attribute__((constructor)) static void prepare(void)
{
	static const uint8_t zeros[PAGE_SIZE];
	of_zeros = XXH3_128bits(zeros, PAGE_SIZE);
}

page_hash hash_page(const void *page)
{
	XXH128_hash_t hash = XXH3_128bits(page, PAGE_SIZE);
	if (XXH128_isEqual(hash, of_zeros)) {
		return (page_hash){0, 0};
	}
	return (page_hash){hash.low64, hash.high64};
}
