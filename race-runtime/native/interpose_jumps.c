/* SPDX-License-Identifier: Apache-2.0 */
/* Jumps: a signal's handler may leave what it interrupted for good, also the runtime. */
#include "start.h"
#include "threads.h"

#include <setjmp.h>

/* Where the stack will be. The C library keeps it under a secret of the process (PTR_MANGLE). */
static uintptr_t target_of(const struct __jmp_buf_tag *place)
{
#ifdef __x86_64__
	uintptr_t secret, kept = (uintptr_t)place->__jmpbuf[6];
	__asm__("mov %%fs:0x30, %0" : "=r"(secret));
	return (kept >> 17 | kept << 47) ^ secret;
#else
	(void)place;
	return UINTPTR_MAX;
#endif
}

#define JUMP(name) \
	REAL(void, name, struct __jmp_buf_tag[1], int) \
	EXPORT __attribute__((noreturn)) void name(struct __jmp_buf_tag place[1], int value); \
	void name(struct __jmp_buf_tag place[1], int value) \
	{ \
		struct thread *me = self; \
		if (me != NULL) \
			thread_jumps(me, target_of(place)); \
		real_##name()(place, value); \
		__builtin_unreachable(); \
	}

JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)
