/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic operations of 16 bytes, as those of atomics.c. All are made of the one that the processor has. */
#include "atomics.h"
#include "start.h"

typedef unsigned __int128 wide;

#ifdef __x86_64__
#define HAS_WIDE_SWAP __attribute__((target("cx16")))
#else
#define HAS_WIDE_SWAP
#endif

/* Stores if the place holds what is expected; returns what it held. */
static HAS_WIDE_SWAP wide swap(volatile wide *place, wide expected, wide value)
{
	return __sync_val_compare_and_swap(place, expected, value);
}

static wide read(volatile wide *place)
{
	return swap(place, 0, 0);
}

EXPORT wide __tsan_atomic128_load(volatile wide *place, int order);
wide __tsan_atomic128_load(volatile wide *place, int order)
{
	struct atomic_step step = atomic_begin(place, sizeof *place, ATOMIC_LOAD, order, SITE_HERE);
	wide value = read(place);
	atomic_end(&step, order, false);
	return value;
}

static wide exchange(volatile wide *place, wide value)
{
	wide old = read(place), seen;
	while ((seen = swap(place, old, value)) != old)
		old = seen;
	return old;
}

EXPORT void __tsan_atomic128_store(volatile wide *place, wide value, int order);
void __tsan_atomic128_store(volatile wide *place, wide value, int order)
{
	struct atomic_step step = atomic_begin(place, sizeof *place, ATOMIC_STORE, order, SITE_HERE);
	exchange(place, value);
	atomic_end(&step, order, true);
}

#define CHANGE(name, result) \
	EXPORT wide __tsan_atomic128_##name(volatile wide *place, wide value, int order); \
	wide __tsan_atomic128_##name(volatile wide *place, wide value, int order) \
	{ \
		struct atomic_step step = atomic_begin(place, sizeof *place, ATOMIC_CHANGE, order, SITE_HERE); \
		wide old = read(place), seen; \
		while ((seen = swap(place, old, result)) != old) \
			old = seen; \
		atomic_end(&step, order, true); \
		return old; \
	}

CHANGE(exchange, value)
CHANGE(fetch_add, old + value)
CHANGE(fetch_sub, old - value)
CHANGE(fetch_and, old &value)
CHANGE(fetch_or, old | value)
CHANGE(fetch_xor, old ^ value)
CHANGE(fetch_nand, ~(old &value))

static wide compare(volatile wide *place, wide expected, wide value, int order, int failed, struct site site)
{
	struct atomic_step step = atomic_begin(place, sizeof *place, ATOMIC_CHANGE, order, site);
	wide seen = swap(place, expected, value);
	bool stored = seen == expected;
	atomic_end(&step, stored ? order : failed, stored);
	return seen;
}

#define COMPARE(name) \
	EXPORT bool __tsan_atomic128_compare_exchange_##name(volatile wide *place, wide *expected, wide value, int order, \
			int failed); \
	bool __tsan_atomic128_compare_exchange_##name(volatile wide *place, wide *expected, wide value, int order, \
			int failed) \
	{ \
		wide wanted = *expected, seen = compare(place, wanted, value, order, failed, SITE_HERE); \
		if (seen != wanted) \
			*expected = seen; \
		return seen == wanted; \
	}

COMPARE(strong)
COMPARE(weak)

EXPORT wide __tsan_atomic128_compare_exchange_val(volatile wide *place, wide expected, wide value, int order,
		int failed);
wide __tsan_atomic128_compare_exchange_val(volatile wide *place, wide expected, wide value, int order, int failed)
{
	return compare(place, expected, value, order, failed, SITE_HERE);
}
