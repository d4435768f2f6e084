/* SPDX-License-Identifier: Apache-2.0 */
/* The non-temporal stores of gcc's header of this name, announced to the runtime of data races. */
#ifndef POWERCUT_AVXINTRIN_H
#define POWERCUT_AVXINTRIN_H
#include "powercut_announce.h"

#define _mm256_stream_si256 powercut_silent_mm256_stream_si256
#define _mm256_stream_pd powercut_silent_mm256_stream_pd
#define _mm256_stream_ps powercut_silent_mm256_stream_ps
#include_next <avxintrin.h>
#undef _mm256_stream_si256
#undef _mm256_stream_pd
#undef _mm256_stream_ps

#pragma GCC push_options
#pragma GCC target("avx")
POWERCUT_ANNOUNCES void _mm256_stream_si256(__m256i *to, __m256i value)
{
	__tsan_write_range(to, 32);
	powercut_silent_mm256_stream_si256(to, value);
}
POWERCUT_ANNOUNCES void _mm256_stream_pd(double *to, __m256d value)
{
	__tsan_write_range(to, 32);
	powercut_silent_mm256_stream_pd(to, value);
}
POWERCUT_ANNOUNCES void _mm256_stream_ps(float *to, __m256 value)
{
	__tsan_write_range(to, 32);
	powercut_silent_mm256_stream_ps(to, value);
}
#pragma GCC pop_options
#endif
