/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions that store, flush and fence. */
#include "random.h"

#include <immintrin.h>

#define NT 1
#ifndef NATIVE
#define NATIVE 0 /* 1: without what this machine may not have */
#endif
#define LOCKED 4

/* One store of `size` bytes to *p by the instruction. */
#define STORE(size, flags, ...) \
	do { \
		__asm__ volatile(__VA_ARGS__); \
		expect_at(a, STORED, flags, p, size, 0); \
	} while (0)
#define M "=m"(*p)

static void store_plain(Actor *a, char *p, long size)
{
	uint64_t v = next(a);
	switch (size) {
	case 1: STORE(1, 0, "movb %b1, %0" : M : "q"(v) : "memory"); break;
	case 2: STORE(2, 0, "movw %w1, %0" : M : "r"(v) : "memory"); break;
	case 4: STORE(4, 0, "movl %k1, %0" : M : "r"(v) : "memory"); break;
	default: STORE(8, 0, "movq %1, %0" : M : "r"(v) : "memory"); break;
	}
}

void op_plain(Actor *a)
{
	uint64_t v = next(a);
	char *p = spot(a, 8, 1);
	switch (pick(a, 16)) {
	case 0: STORE(8, 0, "addq %1, %0" : "+m"(*p) : "r"(v) : "memory", "cc"); break;
	case 1: STORE(4, 0, "incl %0" : "+m"(*p) : : "memory", "cc"); break;
	case 2: STORE(2, 0, "rorw $3, %0" : "+m"(*p) : : "memory", "cc"); break;
	case 3: STORE(8, 0, "btcq $45, %0" : "+m"(*p) : : "memory", "cc"); break;
	case 4: STORE(8, 0, "shldq $5, %1, %0" : "+m"(*p) : "r"(v) : "memory", "cc"); break;
	case 5: STORE(1, 0, "cmpq $7, %1; setb %0" : M : "r"(v) : "memory", "cc"); break;
	case 6: STORE(8, 0, "pushq %1; popq (%0)" : : "r"(p), "r"(v) : "memory"); break;
	case 7: STORE(4, 0, "movbe %k1, %0" : M : "r"(v) : "memory"); break;
	case 8: STORE(4, 0, "xaddl %k1, %0" : "+m"(*p), "+r"(v) : : "memory", "cc"); break;
	case 9: STORE(1, 0, "movb %%ah, %0" : M : "a"(v) : "memory"); break;
	case 10: STORE(8, 0, "movq $-5, %0" : M : : "memory"); break;
	case 11: { /* the address has a base, an index and a displacement */
		char *base = p + 0x1234 - 3 * 8;
		STORE(8, 0, "movq %2, -0x1234(%0,%1,8)" : : "r"(base), "r"(3L), "r"(v) : "memory");
		break;
	}
	default: store_plain(a, p, 1L << below(a, 4)); break;
	}
}

/* Half of it is elsewhere: before a mapping, after one, or in two of them. */
void op_edge(Actor *a)
{
	if (chance(a, 50)) {
		store_plain(a, spot_at_edge(a, 8), 8);
		return;
	}
	char *p = spot_at_edge(a, 16);
	STORE(16, 0, "movups %1, %0" : M : "x"(_mm_set1_epi64x((long long)next(a))) : "memory");
}

void op_vector(Actor *a)
{
	__m128i x = _mm_set_epi64x((long long)next(a), (long long)next(a));
	long which = pick(a, 14);
	char *p = spot(a, 16, which < 2 ? 16 : 1);
	switch (which) {
	case 0: STORE(16, 0, "movaps %1, %0" : M : "x"(x) : "memory"); break;
	case 1: STORE(16, 0, "movdqa %1, %0" : M : "x"(x) : "memory"); break;
	case 2: STORE(16, 0, "movups %1, %0" : M : "x"(x) : "memory"); break;
	case 3: STORE(16, 0, "movdqu %1, %0" : M : "x"(x) : "memory"); break;
	case 4: STORE(8, 0, "movq %1, %0" : M : "x"(x) : "memory"); break;
	case 5: STORE(4, 0, "movd %1, %0" : M : "x"(x) : "memory"); break;
	case 6: STORE(4, 0, "movss %1, %0" : M : "x"(x) : "memory"); break;
	case 7: STORE(8, 0, "movsd %1, %0" : M : "x"(x) : "memory"); break;
	case 8: STORE(8, 0, "movhps %1, %0" : M : "x"(x) : "memory"); break;
	case 9: STORE(1, 0, "pextrb $3, %1, %0" : M : "x"(x) : "memory"); break;
	case 10: STORE(2, 0, "pextrw $3, %1, %0" : M : "x"(x) : "memory"); break;
	case 11: STORE(4, 0, "extractps $1, %1, %0" : M : "x"(x) : "memory"); break;
	case 12: STORE(8, 0, "movq %1, %%mm0; movq %%mm0, %0; emms" : M : "m"(x) : "memory", "mm0"); break;
	default: STORE(4, 0, "stmxcsr %0" : M : : "memory"); break;
	}
}

__attribute__((target("avx2"))) void op_wide_vector(Actor *a)
{
	__m256i y = _mm256_set_epi64x((long long)next(a), (long long)next(a), (long long)next(a), (long long)next(a));
	long which = pick(a, 8);
	char *p = spot(a, 32, which < 4 ? 32 : 1);
	switch (which) {
	case 0: STORE(32, 0, "vmovdqa %1, %0" : M : "x"(y) : "memory"); break;
	case 1: STORE(32, NT, "vmovntdq %1, %0" : M : "x"(y) : "memory"); break;
	case 2: STORE(32, NT, "vmovntps %1, %0" : M : "x"(y) : "memory"); break;
	case 3: STORE(32, NT, "vmovdqa %1, %%ymm9; vmovntdq %%ymm9, (%0)" : : "r"(p), "x"(y) : "memory", "xmm9"); break;
	case 4: STORE(32, 0, "vmovdqu %1, %0" : M : "x"(y) : "memory"); break;
	case 5: STORE(16, 0, "vextracti128 $1, %1, %0" : M : "x"(y) : "memory"); break;
	case 6: STORE(16, 0, "vcvtps2ph $0, %1, %0" : M : "x"(y) : "memory"); break;
	default: STORE(32, 0, "vmovups %1, %0" : M : "x"(y) : "memory"); break;
	}
	__asm__ volatile("vzeroupper" ::: "memory");
}

/* Each run of bytes that the mask has is a store. */
static void expect_runs(Actor *a, int flags, const char *p, const unsigned char *mask, long count, long element)
{
	for (long from = 0; from < count; from++) {
		long to = from;
		while (to < count && (mask[(to + 1) * element - 1] & 0x80) != 0)
			to++;
		if (to > from)
			expect_at(a, STORED, flags, p + from * element, (to - from) * element, 0);
		from = to;
	}
}

/* Masks of all, of none, and of some: more often runs than single bits. */
static void random_mask(Actor *a, unsigned char *mask, long size)
{
	long ones = below(a, 4);
	for (long i = 0; i < size; i++) {
		mask[i] = (unsigned char)next(a);
		if (ones == 0)
			mask[i] |= 0x80;
		else if (ones == 1)
			mask[i] &= 0x7f;
	}
}

__attribute__((target("avx2"))) void op_masked(Actor *a)
{
	unsigned char mask[32];
	uint64_t value[4] = {next(a), next(a), next(a), next(a)};
	random_mask(a, mask, sizeof mask);
	__m256i m = _mm256_loadu_si256((const __m256i *)mask), y = _mm256_loadu_si256((const __m256i *)value);
	__m128i half = _mm256_castsi256_si128(m), x = _mm256_castsi256_si128(y);
	char *p = spot(a, 32, 1);
	switch (pick(a, 8)) {
	case 0:
		__asm__ volatile("movq %0, %%rdi; maskmovdqu %2, %1" : : "r"(p), "x"(x), "x"(half) : "memory", "rdi");
		expect_runs(a, NT, p, mask, 16, 1);
		break;
	case 1:
		__asm__ volatile("vmovdqa %2, %%xmm11; movq %0, %%rdi; vmaskmovdqu %%xmm11, %1"
						 :
						 : "r"(p), "x"(x), "x"(half)
						 : "memory", "rdi", "xmm11");
		expect_runs(a, NT, p, mask, 16, 1);
		break;
	case 2:
		__asm__ volatile("movq %1, %%mm5; movq %2, %%mm6; movq %0, %%rdi; maskmovq %%mm6, %%mm5; emms"
						 :
						 : "r"(p), "m"(value[0]), "m"(*(const uint64_t *)mask)
						 : "memory", "rdi", "mm5", "mm6");
		expect_runs(a, NT, p, mask, 8, 1);
		break;
	case 3:
		__asm__ volatile("vmaskmovps %0, %1, (%2)" : : "x"(y), "x"(m), "r"(p) : "memory");
		expect_runs(a, 0, p, mask, 8, 4);
		break;
	case 4:
		__asm__ volatile("vmaskmovpd %0, %1, (%2)" : : "x"(y), "x"(m), "r"(p) : "memory");
		expect_runs(a, 0, p, mask, 4, 8);
		break;
	case 5:
		__asm__ volatile("vpmaskmovd %0, %1, (%2)" : : "x"(x), "x"(half), "r"(p) : "memory");
		expect_runs(a, 0, p, mask, 4, 4);
		break;
	case 6:
		__asm__ volatile("vpmaskmovq %0, %1, (%2)" : : "x"(y), "x"(m), "r"(p) : "memory");
		expect_runs(a, 0, p, mask, 4, 8);
		break;
	default:
		__asm__ volatile("vpmaskmovq %0, %1, (%2)" : : "x"(x), "x"(half), "r"(p) : "memory");
		expect_runs(a, 0, p, mask, 2, 8);
		break;
	}
	__asm__ volatile("vzeroupper" ::: "memory");
}

void op_past_cache(Actor *a)
{
	static char source[ACTORS][64] __attribute__((aligned(64)));
	uint64_t v = next(a);
	__m128i x = _mm_set_epi64x((long long)v, (long long)next(a));
	char *p = spot(a, 64, 64);
	switch (pick(a, 9 - 2 * NATIVE)) {
	case 0: STORE(16, NT, "movntdq %1, %0" : M : "x"(x) : "memory"); break;
	case 1: STORE(16, NT, "movntps %1, %0" : M : "x"(x) : "memory"); break;
	case 2: STORE(16, NT, "vmovntpd %1, %0" : M : "x"(x) : "memory"); break;
	case 3: STORE(4, NT, "movnti %k1, %0" : M : "r"(v) : "memory"); break;
	case 4: STORE(8, NT, "movnti %1, %0" : M : "r"(v) : "memory"); break;
	case 5: STORE(8, NT, "movq %1, %%r9; movnti %%r9, %0" : M : "r"(v) : "memory", "r9"); break;
	case 6: STORE(8, NT, "movq %1, %%mm0; movntq %%mm0, %0; emms" : M : "m"(v) : "memory", "mm0"); break;
	case 7: STORE(8, NT, "movdiri %1, (%0)" : : "r"(p), "r"(v) : "memory"); break;
	default:
		fill(a, source[a->number], 64);
		STORE(64, NT, "movdir64b (%1), %0" : : "r"(p), "r"(source[a->number]) : "memory");
		break;
	}
}

void op_x87(Actor *a)
{
	double d = (double)(int)next(a) / 3;
	char *p = spot(a, 108, 1);
	switch (pick(a, 12)) {
	case 0: STORE(4, 0, "fldl %1; fstps %0" : M : "m"(d) : "memory"); break;
	case 1: STORE(8, 0, "fldl %1; fstpl %0" : M : "m"(d) : "memory"); break;
	case 2: STORE(10, 0, "fldl %1; fstpt %0" : M : "m"(d) : "memory"); break;
	case 3: STORE(4, 0, "fldl %1; fsts %0; fstp %%st(0)" : M : "m"(d) : "memory"); break;
	case 4: STORE(2, 0, "fldl %1; fistps %0" : M : "m"(d) : "memory"); break;
	case 5: STORE(4, 0, "fldl %1; fistpl %0" : M : "m"(d) : "memory"); break;
	case 6: STORE(8, 0, "fldl %1; fistpll %0" : M : "m"(d) : "memory"); break;
	case 7: STORE(4, 0, "fldl %1; fisttpl %0" : M : "m"(d) : "memory"); break;
	case 8: STORE(2, 0, "fnstcw %0" : M : : "memory"); break;
	case 9: STORE(2, 0, "fnstsw %0" : M : : "memory"); break;
	case 10: STORE(28, 0, "fnstenv %0; fldenv %0" : "+m"(*p) : : "memory"); break;
	default: STORE(108, 0, "fnsave %0; frstor %0" : "+m"(*p) : : "memory"); break;
	}
}

/* They leave parts of their area as they are, and Valgrind does them in steps. */
void op_save_state(Actor *a)
{
	char *p = spot(a, 1024, 64);
	uint32_t parts = (uint32_t)below(a, 8);
	expect_anything(a);
	switch (pick(a, 4)) {
	case 0: __asm__ volatile("fxsave (%0)" : : "r"(p) : "memory"); break;
	case 1: __asm__ volatile("fxsave64 (%0)" : : "r"(p) : "memory"); break;
	case 2: __asm__ volatile("xsave (%0)" : : "r"(p), "a"(parts), "d"(0) : "memory"); break;
	default: __asm__ volatile("xsave64 (%0)" : : "r"(p), "a"(parts), "d"(0) : "memory"); break;
	}
}

#define LOCK(size, ...) \
	do { \
		expect(a, FENCED, 3, ANY_FILE, 0, 0, 0); \
		STORE(size, LOCKED, __VA_ARGS__); \
	} while (0)

static void compare_16(Actor *a, char *p, int succeeds)
{
	uint64_t old[2];
	memcpy(old, p, 16);
	if (!succeeds)
		old[chance(a, 50)] ^= 1UL << below(a, 64);
	expect(a, FENCED, 3, ANY_FILE, 0, 0, 0);
	unsigned char done;
	__asm__ volatile("lock cmpxchg16b %1; sete %0"
					 : "=q"(done), "+m"(*(__int128 *)p), "+a"(old[0]), "+d"(old[1])
					 : "b"(next(a)), "c"(next(a))
					 : "memory", "cc");
	if (done)
		expect_at(a, STORED, LOCKED, p, 16, 0);
}

static void compare_8(Actor *a, char *p, int succeeds)
{
	uint64_t old = *(uint64_t *)p ^ (succeeds ? 0 : 1UL << below(a, 64));
	unsigned char done;
	expect(a, FENCED, 3, ANY_FILE, 0, 0, 0);
	__asm__ volatile("lock cmpxchgq %3, %1; sete %0"
					 : "=q"(done), "+m"(*(uint64_t *)p), "+a"(old)
					 : "r"(next(a))
					 : "memory", "cc");
	if (done)
		expect_at(a, STORED, LOCKED, p, 8, 0);
}

void op_locked(Actor *a)
{
	uint64_t v = next(a);
	char *p = spot(a, 16, 16);
	switch (pick(a, 14)) {
	case 0: LOCK(1, "xchgb %b1, %0" : "+m"(*p), "+q"(v) : : "memory"); break;
	case 1: LOCK(8, "xchgq %1, %0" : "+m"(*p), "+r"(v) : : "memory"); break;
	case 2: LOCK(4, "movl %k1, %%r10d; xchgl %%r10d, %0" : "+m"(*p) : "r"(v) : "memory", "r10"); break;
	case 3: LOCK(8, "lock addq %1, %0" : "+m"(*p) : "r"(v) : "memory", "cc"); break;
	case 4: LOCK(1, "lock incb %0" : "+m"(*p) : : "memory", "cc"); break;
	case 5: LOCK(2, "lock decw %0" : "+m"(*p) : : "memory", "cc"); break;
	case 6: LOCK(4, "lock orl %k1, %0" : "+m"(*p) : "r"(v) : "memory", "cc"); break;
	case 7: LOCK(8, "lock notq %0" : "+m"(*p) : : "memory"); break;
	case 8: LOCK(8, "lock btsq $9, %0" : "+m"(*p) : : "memory", "cc"); break;
	case 9: LOCK(8, "lock xaddq %1, %0" : "+m"(*p), "+r"(v) : : "memory", "cc"); break;
	case 10:
	case 11: compare_16(a, p, chance(a, 60)); break;
	default: compare_8(a, p, chance(a, 60)); break;
	}
}

/* Forwards or backwards, within PM, into it or out of it. */
void op_string(Actor *a)
{
	char text[512];
	long element = 1L << below(a, 4);
	long count = chance(a, 10) ? 0 : below(a, chance(a, 20) ? 64 : 9) + (chance(a, 5) ? 0 : 1);
	long size = element * count;
	int copies = chance(a, 60), back = chance(a, 25), out = copies && chance(a, 10);
	long last = back && count > 0 ? size - element : 0;
	fill(a, text, sizeof text);
	char *p = spot(a, size + 1, 1);
	char *from = copies && chance(a, 30) ? spot(a, size + 1, 1) : text;
	void *to = out ? text + last : p + last;
	const void *source = (out ? p : from) + last;
	uint64_t value = next(a);
	if (!out && count > 0)
		expect_at(a, ELEMENTS, back, p, size, element);
	if (back)
		__asm__ volatile("std" ::: "memory");
#define STRING(instruction) __asm__ volatile(instruction : "+D"(to), "+S"(source), "+c"(count) : "a"(value) : "memory")
	switch (element * 2 + copies) {
	case 2: STRING("rep stosb"); break;
	case 3: STRING("rep movsb"); break;
	case 4: STRING("rep stosw"); break;
	case 5: STRING("rep movsw"); break;
	case 8: STRING("rep stosl"); break;
	case 9: STRING("rep movsl"); break;
	case 16: STRING("rep stosq"); break;
	default: STRING("rep movsq"); break;
	}
	if (back)
		__asm__ volatile("cld" ::: "memory");
}

void op_library(Actor *a)
{
	char text[1500];
	long size = below(a, chance(a, 30) ? (long)sizeof text - 1 : 40) + 1;
	char *p = spot(a, size, 1);
	fill(a, text, size);
	expect_at(a, COPIED, 0, p, size, 0);
	switch (pick(a, 5)) {
	case 0: memset(p, (int)next(a), (size_t)size); break;
	case 1: {
		const char *from = spot(a, size, 1);
		memmove(p, from == p ? text : from, (size_t)size); /* to where it is it would store nothing */
		break;
	}
	case 2:
		for (long i = 0; i < size - 1; i++)
			text[i] |= 1;
		text[size - 1] = 0;
		strcpy(p, text);
		break;
	default: memcpy(p, text, (size_t)size); break;
	}
}

/* clflush 1, clflushopt 2, clwb 3: with operands of every form. */
void op_flush(Actor *a)
{
	char *p = spot(a, 1, 1);
	int kind = (int)below(a, 3) + 1;
#define FLUSH(operand, ...) \
	switch (kind) { \
	case 1: __asm__ volatile("clflush " operand : : __VA_ARGS__ : "memory", "r12", "r9"); break; \
	case 2: __asm__ volatile("clflushopt " operand : : __VA_ARGS__ : "memory", "r12", "r9"); break; \
	default: __asm__ volatile("clwb " operand : : __VA_ARGS__ : "memory", "r12", "r9"); break; \
	}
	switch (pick(a, 7)) {
	case 0: FLUSH("(%0)", "r"(p)); break;
	case 1: FLUSH("100(%0)", "r"(p - 100)); break;
	case 2: FLUSH("-100(%0)", "r"(p + 100)); break;
	case 3: FLUSH("-0x12345(%0)", "r"(p + 0x12345)); break;
	case 4: FLUSH("-8(%0,%1,4)", "r"(p + 8 - 20), "r"(5L)); break;
	case 5: FLUSH("-0x1234(,%0,1)", "r"(p + 0x1234)); break;
	default:
		p = (char *)&a->state; /* volatile memory */
		FLUSH("(%0)", "r"(p));
		expect(a, FLUSHED, kind, VOLATILE_MEMORY, (long)p & ~63L, 0, 0);
		return;
	}
	expect_at(a, FLUSHED, kind, (char *)((uintptr_t)p & ~63UL), 1, 0);
}

void op_fence(Actor *a)
{
	if (chance(a, 50)) {
		__asm__ volatile("sfence" ::: "memory");
		expect(a, FENCED, 1, ANY_FILE, 0, 0, 0);
	} else {
		__asm__ volatile("mfence" ::: "memory");
		expect(a, FENCED, 2, ANY_FILE, 0, 0, 0);
	}
}

/* Stores to a private mapping of a PM file: no PM. */
void op_private(Actor *a)
{
	char *p = a->private_map + below(a, POOL - 64);
	*(volatile uint64_t *)p = next(a);
	memset(p, (int)next(a), 33);
}

/* The stack lies in PM for a moment. */
void op_stack(Actor *a)
{
	if (!stacks_in_pm)
		return;
	char *top = spot(a, 256, 16) + 256;
	uint64_t v = next(a);
	__asm__ volatile(
			"mov %%rsp, %%rbx; mov %0, %%rsp; push %1; movq %1, -64(%%rsp); pushfq; pop %%rax; call 1f; jmp 2f;"
			"1: movl $0x77, -120(%%rsp); ret; 2: mov %%rbx, %%rsp"
			:
			: "r"(top), "r"(v)
			: "rax", "rbx", "memory", "cc");
	expect_at(a, STORED, 0, top - 8, 8, 0);
	expect_at(a, STORED, 0, top - 8 - 64, 8, 0);
	expect_at(a, STORED, 0, top - 16, 8, 0);
	expect_at(a, STORED, 0, top - 16, 8, 0);
	expect_at(a, STORED, 0, top - 16 - 120, 4, 0);
}
