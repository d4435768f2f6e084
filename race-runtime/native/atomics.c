/* SPDX-License-Identifier: Apache-2.0 */
/* The atomic operations that gcc -fsanitize=thread turns into calls. Each is done here with full order. */
#include "atomics.h"
#include "start.h"

#include <stdatomic.h>

typedef uint8_t value8;
typedef uint16_t value16;
typedef uint32_t value32;
typedef uint64_t value64;

#define LOAD(bits) \
	EXPORT value##bits __tsan_atomic##bits##_load(const volatile value##bits *place, int order); \
	value##bits __tsan_atomic##bits##_load(const volatile value##bits *place, int order) \
	{ \
		struct atomic_step step = atomic_begin(place, bits / 8, ATOMIC_LOAD, order, SITE_HERE); \
		value##bits value = __atomic_load_n(place, __ATOMIC_SEQ_CST); \
		atomic_end(&step, order, false); \
		return value; \
	}

#define STORE(bits) \
	EXPORT void __tsan_atomic##bits##_store(volatile value##bits *place, value##bits value, int order); \
	void __tsan_atomic##bits##_store(volatile value##bits *place, value##bits value, int order) \
	{ \
		struct atomic_step step = atomic_begin(place, bits / 8, ATOMIC_STORE, order, SITE_HERE); \
		__atomic_store_n(place, value, __ATOMIC_SEQ_CST); \
		atomic_end(&step, order, true); \
	}

#define CHANGE(bits, name, builtin) \
	EXPORT value##bits __tsan_atomic##bits##_##name(volatile value##bits *place, value##bits value, int order); \
	value##bits __tsan_atomic##bits##_##name(volatile value##bits *place, value##bits value, int order) \
	{ \
		struct atomic_step step = atomic_begin(place, bits / 8, ATOMIC_CHANGE, order, SITE_HERE); \
		value##bits old = builtin(place, value, __ATOMIC_SEQ_CST); \
		atomic_end(&step, order, true); \
		return old; \
	}

#define COMPARE(bits, name) \
	EXPORT bool __tsan_atomic##bits##_compare_exchange_##name(volatile value##bits *place, value##bits *expected, \
			value##bits value, int order, int failed); \
	bool __tsan_atomic##bits##_compare_exchange_##name(volatile value##bits *place, value##bits *expected, \
			value##bits value, int order, int failed) \
	{ \
		struct atomic_step step = atomic_begin(place, bits / 8, ATOMIC_CHANGE, order, SITE_HERE); \
		bool stored = __atomic_compare_exchange_n(place, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
		atomic_end(&step, stored ? order : failed, stored); \
		return stored; \
	}

#define COMPARE_VALUE(bits) \
	EXPORT value##bits __tsan_atomic##bits##_compare_exchange_val(volatile value##bits *place, value##bits expected, \
			value##bits value, int order, int failed); \
	value##bits __tsan_atomic##bits##_compare_exchange_val(volatile value##bits *place, value##bits expected, \
			value##bits value, int order, int failed) \
	{ \
		struct atomic_step step = atomic_begin(place, bits / 8, ATOMIC_CHANGE, order, SITE_HERE); \
		bool stored = __atomic_compare_exchange_n(place, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
		atomic_end(&step, stored ? order : failed, stored); \
		return expected; \
	}

#define ATOMICS(bits) \
	LOAD(bits) \
	STORE(bits) \
	CHANGE(bits, exchange, __atomic_exchange_n) \
	CHANGE(bits, fetch_add, __atomic_fetch_add) \
	CHANGE(bits, fetch_sub, __atomic_fetch_sub) \
	CHANGE(bits, fetch_and, __atomic_fetch_and) \
	CHANGE(bits, fetch_or, __atomic_fetch_or) \
	CHANGE(bits, fetch_xor, __atomic_fetch_xor) \
	CHANGE(bits, fetch_nand, __atomic_fetch_nand) \
	COMPARE(bits, strong) \
	COMPARE(bits, weak) \
	COMPARE_VALUE(bits)

ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)

EXPORT void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
	atomic_fence(order);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* Orders a thread with its own signal handlers, which are the same thread here. */
EXPORT void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
	(void)order;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}
