/* SPDX-License-Identifier: Apache-2.0 */
/*
 * powercut.h: what a program tells Powercut while it is tested. This header is all there is: no library, nothing to
 * link. Outside Powercut's recorder each call is six instructions that do nothing (the form of Valgrind's client
 * requests), and with other processors or compilers nothing at all. -DPOWERCUT_DISABLE removes them.
 *
 *     powercut_begin();                        the tested part begins; nothing before it counts
 *     put(store, key, value);
 *     powercut_acknowledge("put 42");          whoever reads this may rely on it
 *     powercut_end();                          nothing from here on counts
 *
 *     powercut_transient(&node->lock, sizeof node->lock);    nobody needs these bytes after a power cut
 *     powercut_ignore(scratch, 4096);                        nobody is to look at stores to these
 *     powercut_persistent(node, sizeof *node);               these are data as all others, again
 *
 * See docs/powercut-h.md.
 */
#ifndef POWERCUT_H
#define POWERCUT_H

/* Warnings that the including program asks for are for its own code. */
#if defined(__GNUC__)
#pragma GCC system_header
#endif

#include <stddef.h>

#if defined(__x86_64__) && defined(__LP64__) && defined(__GNUC__) && !defined(POWERCUT_DISABLE)
#define POWERCUT_CALLS_(number, address, size) powercut_request_(number, address, size)
#define POWERCUT_INLINE_ static __inline__ __attribute__((always_inline, unused))

/* 'P' << 24 | 'C' << 16, and the number of what is told. */
#define POWERCUT_REQUESTS_ 0x50430000UL

/* Rotations by 128 bits in all, and an exchange of a register with itself; with -masm=intel, what is behind the bars. */
#define POWERCUT_ROTATE_(bits) "rol{q $" bits ", %%rdi| rdi, " bits "}\n\t"
#define POWERCUT_SEQUENCE_ \
	POWERCUT_ROTATE_("3") \
	POWERCUT_ROTATE_("13") \
	POWERCUT_ROTATE_("61") \
	POWERCUT_ROTATE_("51") \
	"xchg{q %%rbx, %%rbx| rbx, rbx}\n\t"

POWERCUT_INLINE_ void powercut_request_(unsigned long number, const volatile void *address, size_t size)
{
	volatile unsigned long words[6] = {POWERCUT_REQUESTS_ + number, (unsigned long)address, (unsigned long)size, 0, 0,
			0};
	unsigned long answer = 0;
	__asm__ volatile(POWERCUT_SEQUENCE_ : "+d"(answer) : "a"(&words[0]) : "cc", "memory");
}

/*
 * A program with a powercut_begin says so before its main: the recorder cannot know it otherwise. This is a function
 * in .init_array, written by hand, so that it is there only where powercut_begin is called.
 */
#define POWERCUT_WAITS_ \
	__asm__ volatile(".pushsection .text.powercut,\"ax\",@progbits\n" \
					 "771:\tendbr64\n" \
					 "\tlea{q 772f(%%rip), %%rax| rax, 772f[rip]}\n" \
					 "\txor{l %%edx, %%edx| edx, edx}\n\t" POWERCUT_SEQUENCE_ "ret\n" \
					 "\t.popsection\n" \
					 "\t.pushsection .rodata.powercut,\"a\",@progbits\n" \
					 "\t.balign 8\n" \
					 "772:\t.quad %c0, 0, 0, 0, 0, 0\n" \
					 "\t.popsection\n" \
					 "\t.pushsection .init_array,\"aw\",@init_array\n" \
					 "\t.balign 8\n" \
					 "\t.quad 771b\n" \
					 "\t.popsection\n" \
					 : \
					 : "i"(POWERCUT_REQUESTS_))
#else
#define POWERCUT_CALLS_(number, address, size) ((void)(address), (void)(size))
#define POWERCUT_INLINE_ static __inline__
#define POWERCUT_WAITS_ ((void)0)
#endif

/*
 * From here on failure points and patterns count. Nothing before the first call counts, of no process. It does not
 * nest: a call inside the tested part changes nothing.
 */
POWERCUT_INLINE_ void powercut_begin(void)
{
	POWERCUT_WAITS_;
	POWERCUT_CALLS_(1, (const volatile void *)0, 0);
}

/* From here on nothing counts, until the next powercut_begin, however often that was called before. */
POWERCUT_INLINE_ void powercut_end(void)
{
	POWERCUT_CALLS_(2, (const volatile void *)0, 0);
}

/*
 * Whoever reads these bytes may rely on what they say: after a power cut from here on, it must be true. They are a line
 * of what recovery gets as {acknowledged}, as if they had been printed. At most 65,535 bytes; the rest is cut off.
 */
POWERCUT_INLINE_ void powercut_acknowledge_bytes(const volatile void *bytes, size_t size)
{
	POWERCUT_CALLS_(3, bytes, size);
}

/* The same for a text. */
POWERCUT_INLINE_ void powercut_acknowledge(const char *text)
{
	size_t size = 0;
	while (text[size] != 0)
		size++;
	powercut_acknowledge_bytes(text, size);
}

/*
 * Of persistent memory that is mapped: from here on these bytes are as all others. That is so without any call, so it
 * takes back powercut_transient and powercut_ignore, for example before the memory is used for something else.
 */
POWERCUT_INLINE_ void powercut_persistent(const volatile void *start, size_t size)
{
	POWERCUT_CALLS_(4, start, size);
}

/*
 * Nobody needs what these bytes hold after a power cut, as of locks and counters that recovery makes anew. Patterns do
 * not ask for flushes of them. Crash states lose them all the same: recovery must not need them.
 */
POWERCUT_INLINE_ void powercut_transient(const volatile void *start, size_t size)
{
	POWERCUT_CALLS_(5, start, size);
}

/*
 * Nobody is to look at stores to these bytes: neither patterns nor crash states do, as if each persisted at once and
 * had no order with others.
 */
POWERCUT_INLINE_ void powercut_ignore(const volatile void *start, size_t size)
{
	POWERCUT_CALLS_(6, start, size);
}

#endif
