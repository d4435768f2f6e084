/* SPDX-License-Identifier: Apache-2.0 */
/* C++'s operators new and delete, so that a block's stack ends where it was asked for. */
#include "detector.h"
#include "memory.h"
#include "start.h"

#include <stdlib.h>

struct nothrow;

#define NEW(name) \
	REAL(void *, name, size_t) \
	EXPORT void *name(size_t size); \
	void *name(size_t size) \
	{ \
		void *block = memory_new(size, 0, SITE_HERE); \
		return block != NULL ? block : real_##name()(size); /* which throws */ \
	}

#define NEW_NOTHROW(name) \
	EXPORT void *name(size_t size, const struct nothrow *nothrow); \
	void *name(size_t size, const struct nothrow *nothrow) \
	{ \
		(void)nothrow; \
		return memory_new(size, 0, SITE_HERE); \
	}

#define NEW_ALIGNED(name) \
	REAL(void *, name, size_t, size_t) \
	EXPORT void *name(size_t size, size_t alignment); \
	void *name(size_t size, size_t alignment) \
	{ \
		void *block = memory_new(size, alignment, SITE_HERE); \
		return block != NULL ? block : real_##name()(size, alignment); \
	}

#define NEW_ALIGNED_NOTHROW(name) \
	EXPORT void *name(size_t size, size_t alignment, const struct nothrow *nothrow); \
	void *name(size_t size, size_t alignment, const struct nothrow *nothrow) \
	{ \
		(void)nothrow; \
		return memory_new(size, alignment, SITE_HERE); \
	}

#define DELETE(name, ...) \
	EXPORT void name(void *block, ##__VA_ARGS__); \
	void name(void *block, ##__VA_ARGS__) \
	{ \
		memory_delete(block, SITE_HERE); \
	}

NEW(_Znwm)
NEW(_Znam)
NEW_NOTHROW(_ZnwmRKSt9nothrow_t)
NEW_NOTHROW(_ZnamRKSt9nothrow_t)
NEW_ALIGNED(_ZnwmSt11align_val_t)
NEW_ALIGNED(_ZnamSt11align_val_t)
NEW_ALIGNED_NOTHROW(_ZnwmSt11align_val_tRKSt9nothrow_t)
NEW_ALIGNED_NOTHROW(_ZnamSt11align_val_tRKSt9nothrow_t)
#pragma GCC diagnostic ignored "-Wunused-parameter"
DELETE(_ZdlPv)
DELETE(_ZdaPv)
DELETE(_ZdlPvm, size_t size)
DELETE(_ZdaPvm, size_t size)
DELETE(_ZdlPvRKSt9nothrow_t, const struct nothrow *nothrow)
DELETE(_ZdaPvRKSt9nothrow_t, const struct nothrow *nothrow)
DELETE(_ZdlPvSt11align_val_t, size_t alignment)
DELETE(_ZdaPvSt11align_val_t, size_t alignment)
DELETE(_ZdlPvmSt11align_val_t, size_t size, size_t alignment)
DELETE(_ZdaPvmSt11align_val_t, size_t size, size_t alignment)
DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t, size_t alignment, const struct nothrow *nothrow)
DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t, size_t alignment, const struct nothrow *nothrow)
