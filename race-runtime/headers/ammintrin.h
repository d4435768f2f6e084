/* SPDX-License-Identifier: Apache-2.0 */
/* The non-temporal stores of gcc's header of this name, announced to the runtime of data races. */
#ifndef POWERCUT_AMMINTRIN_H
#define POWERCUT_AMMINTRIN_H
#include "powercut_announce.h"

#define _mm_stream_sd powercut_silent_mm_stream_sd
#define _mm_stream_ss powercut_silent_mm_stream_ss
#include_next <ammintrin.h>
#undef _mm_stream_sd
#undef _mm_stream_ss

#pragma GCC push_options
#pragma GCC target("sse4a")
POWERCUT_ANNOUNCES void _mm_stream_sd(double *to, __m128d value)
{
	__tsan_write_range(to, 8);
	powercut_silent_mm_stream_sd(to, value);
}
POWERCUT_ANNOUNCES void _mm_stream_ss(float *to, __m128 value)
{
	__tsan_write_range(to, 4);
	powercut_silent_mm_stream_ss(to, value);
}
#pragma GCC pop_options
#endif
