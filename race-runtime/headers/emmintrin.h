/* SPDX-License-Identifier: Apache-2.0 */
/* The non-temporal stores of gcc's header of this name, announced to the runtime of data races. */
#ifndef POWERCUT_EMMINTRIN_H
#define POWERCUT_EMMINTRIN_H
#include "powercut_announce.h"

#define _mm_stream_si32 powercut_silent_mm_stream_si32
#define _mm_stream_si64 powercut_silent_mm_stream_si64
#define _mm_stream_si128 powercut_silent_mm_stream_si128
#define _mm_stream_pd powercut_silent_mm_stream_pd
#include_next <emmintrin.h>
#undef _mm_stream_si32
#undef _mm_stream_si64
#undef _mm_stream_si128
#undef _mm_stream_pd

POWERCUT_ANNOUNCES void _mm_stream_si32(int *to, int value)
{
	__tsan_write_range(to, 4);
	powercut_silent_mm_stream_si32(to, value);
}
#ifdef __x86_64__
POWERCUT_ANNOUNCES void _mm_stream_si64(long long int *to, long long int value)
{
	__tsan_write_range(to, 8);
	powercut_silent_mm_stream_si64(to, value);
}
#endif
POWERCUT_ANNOUNCES void _mm_stream_si128(__m128i *to, __m128i value)
{
	__tsan_write_range(to, 16);
	powercut_silent_mm_stream_si128(to, value);
}
POWERCUT_ANNOUNCES void _mm_stream_pd(double *to, __m128d value)
{
	__tsan_write_range(to, 16);
	powercut_silent_mm_stream_pd(to, value);
}
#endif
