/* SPDX-License-Identifier: Apache-2.0
 *
 * The inner loop is that of XXH3 (Yann Collet): eight 64-bit accumulators, each fed with the
 * product of the two halves of a keyed word, scrambled once a kilobyte. It was chosen because
 * a page costs less than reading it. The key and the end differ from XXH3's, so values
 * are Powercut's own; they are compared within one run and never stored.
 */
#include "page_hash.h"

#include <emmintrin.h>
#include <string.h>

#define LANES 8
#define STRIPE (LANES * sizeof(uint64_t))
#define STRIPES_A_BLOCK 16
#define BLOCKS (PAGE_SIZE / (STRIPE * STRIPES_A_BLOCK))
#define KEY_WORDS (STRIPES_A_BLOCK + 2 * LANES)

static uint64_t key[KEY_WORDS];
static page_hash of_zeros;

static uint64_t mixed(uint64_t x)
{
	x ^= x >> 30;
	x *= 0xBF58476D1CE4E5B9u;
	x ^= x >> 27;
	x *= 0x94D049BB133111EBu;
	return x ^ (x >> 31);
}

static uint64_t folded(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;
	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t merged(const uint64_t *lanes, const uint64_t *with, uint64_t start)
{
	uint64_t result = start;
	for (int i = 0; i < LANES; i += 2) {
		result += folded(lanes[i] ^ with[i], lanes[i + 1] ^ with[i + 1]);
	}
	return mixed(result);
}

/* Two lanes in a register: SSE2, which every x86-64 has. */
static __m128i fed(__m128i lanes, const uint8_t *words, const uint64_t *with)
{
	__m128i data = _mm_loadu_si128((const __m128i *)words);
	__m128i keyed = _mm_xor_si128(data, _mm_loadu_si128((const __m128i *)with));
	__m128i product = _mm_mul_epu32(keyed, _mm_srli_epi64(keyed, 32));
	__m128i exchanged = _mm_shuffle_epi32(data, _MM_SHUFFLE(1, 0, 3, 2));
	return _mm_add_epi64(lanes, _mm_add_epi64(product, exchanged));
}

static void scramble(uint64_t *lanes)
{
	for (int i = 0; i < LANES; i++) {
		lanes[i] = (lanes[i] ^ (lanes[i] >> 47) ^ key[STRIPES_A_BLOCK + i]) * 0x9E3779B1u;
	}
}

static void accumulate(uint64_t *lanes, const uint8_t *page)
{
	__m128i pairs[LANES / 2];
	for (size_t block = 0; block < BLOCKS; block++) {
		memcpy(pairs, lanes, sizeof pairs);
		for (size_t stripe = 0; stripe < STRIPES_A_BLOCK; stripe++) {
			for (int i = 0; i < LANES / 2; i++) {
				pairs[i] = fed(pairs[i], page + i * sizeof *pairs, key + stripe + 2 * i);
			}
			page += STRIPE;
		}
		memcpy(lanes, pairs, sizeof pairs);
		scramble(lanes);
	}
}

static page_hash whole_hash(const void *page)
{
	uint64_t lanes[LANES];
	memcpy(lanes, key + STRIPES_A_BLOCK + LANES, sizeof lanes);
	accumulate(lanes, page);
	return (page_hash){
			merged(lanes, key, PAGE_SIZE * 0x9E3779B185EBCA87u),
			merged(lanes, key + LANES + 1, ~(PAGE_SIZE * 0xC2B2AE3D27D4EB4Fu)),
	};
}

__attribute__((constructor)) static void prepare(void)
{
	static const uint8_t zeros[PAGE_SIZE];
	for (uint64_t i = 0; i < KEY_WORDS; i++) {
		key[i] = mixed((i + 1) * 0x9E3779B97F4A7C15u);
	}
	of_zeros = whole_hash(zeros);
}

page_hash hash_page(const void *page)
{
	page_hash hash = whole_hash(page);
	if (hash.low == of_zeros.low && hash.high == of_zeros.high) {
		return (page_hash){0, 0};
	}
	return hash;
}
