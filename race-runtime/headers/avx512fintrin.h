/* SPDX-License-Identifier: Apache-2.0 */
/* The non-temporal stores of gcc's header of this name, announced to the runtime of data races. */
#ifndef POWERCUT_AVX512FINTRIN_H
#define POWERCUT_AVX512FINTRIN_H
#include "powercut_announce.h"

#define _mm512_stream_si512 powercut_silent_mm512_stream_si512
#define _mm512_stream_ps powercut_silent_mm512_stream_ps
#define _mm512_stream_pd powercut_silent_mm512_stream_pd
#include_next <avx512fintrin.h>
#undef _mm512_stream_si512
#undef _mm512_stream_ps
#undef _mm512_stream_pd

#pragma GCC push_options
#pragma GCC target("avx512f")
POWERCUT_ANNOUNCES void _mm512_stream_si512(__m512i *to, __m512i value)
{
	__tsan_write_range(to, 64);
	powercut_silent_mm512_stream_si512(to, value);
}
POWERCUT_ANNOUNCES void _mm512_stream_ps(float *to, __m512 value)
{
	__tsan_write_range(to, 64);
	powercut_silent_mm512_stream_ps(to, value);
}
POWERCUT_ANNOUNCES void _mm512_stream_pd(double *to, __m512d value)
{
	__tsan_write_range(to, 64);
	powercut_silent_mm512_stream_pd(to, value);
}
#pragma GCC pop_options
#endif
