/* SPDX-License-Identifier: Apache-2.0 */
/* The non-temporal stores of gcc's header of this name, announced to the runtime of data races. */
#ifndef POWERCUT_XMMINTRIN_H
#define POWERCUT_XMMINTRIN_H
#include "powercut_announce.h"

#define _mm_stream_pi powercut_silent_mm_stream_pi
#define _mm_stream_ps powercut_silent_mm_stream_ps
#include_next <xmmintrin.h>
#undef _mm_stream_pi
#undef _mm_stream_ps

POWERCUT_ANNOUNCES void _mm_stream_pi(__m64 *to, __m64 value)
{
	__tsan_write_range(to, 8);
	powercut_silent_mm_stream_pi(to, value);
}
POWERCUT_ANNOUNCES void _mm_stream_ps(float *to, __m128 value)
{
	__tsan_write_range(to, 16);
	powercut_silent_mm_stream_ps(to, value);
}
#endif
