/* SPDX-License-Identifier: Apache-2.0 */
/* A thread stores past the cache by an intrinsic, which gcc does not announce: powercut cc does. */
#include "turns.h"

#if defined __x86_64__
#include <emmintrin.h>
#else
static void _mm_stream_si64(long long *to, long long value)
{
	*to = value;
}
#endif

static long long word __attribute__((aligned(16)));
static long long seen;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *store(void *unused)
{
#ifdef CORRECT
	pthread_mutex_lock(&lock);
#endif
	_mm_stream_si64(&word, 1); /* race 1 hmtrace */
#ifdef CORRECT
	pthread_mutex_unlock(&lock);
#endif
	return unused;
}

static void *load(void *unused)
{
	pthread_mutex_lock(&lock);
	seen = word; /* race 1 hmtrace */
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	two(store, load);
	return seen > 1;
}
