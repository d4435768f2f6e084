/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every kind and width of store, one a slot of 1024 bytes. For each it prints "store offset size flags name"; flags are
 * those of the trace: 1 non-temporal, 4 locked.
 */
#include "pm.h"

#include <cpuid.h>
#include <immintrin.h>
#include <sys/mman.h>

#define SLOT 1024
#define NT 1
#define LOCKED 4

static char *base;
static char *p;
static unsigned slot;

static void next_slot(void)
{
	p = base + SLOT * slot++;
}

static void say_store(int at, int size, int flags, const char *name)
{
	say("store %ld %d %d %s", (long)(p - base) + at, size, flags, name);
}

/* Stores that cover the range, some of it twice. */
static void say_copy(int size, const char *name)
{
	say("copy %ld %d %s", (long)(p - base), size, name);
}

/* One store of `size` bytes to %0 by the instruction. */
#define STORE(name, size, flags, ...) \
	do { \
		next_slot(); \
		if ((flags)&LOCKED) \
			say("fence 3 %s", name); \
		__asm__ volatile(__VA_ARGS__); \
		say_store(0, size, flags, name); \
	} while (0)
#define M "=m"(*p)

static const uint64_t words[8]
		__attribute__((aligned(64))) = {0x1122334455667788, 0x99aabbccddeeff01, 0x2334455667788990, 0xa1b2c3d4e5f60718,
				0x0123456789abcdef, 0xfedcba9876543210, 0x1111222233334444, 0x5555666677778888};

static void plain(void)
{
	uint64_t v = 0x0102030405060708;
	STORE("mov 1", 1, 0, "movb %b1, %0" : M : "r"(v) : "memory");
	STORE("mov 2", 2, 0, "movw %w1, %0" : M : "r"(v) : "memory");
	STORE("mov 4", 4, 0, "movl %k1, %0" : M : "r"(v) : "memory");
	STORE("mov 8", 8, 0, "movq %1, %0" : M : "r"(v) : "memory");
	STORE("mov high byte", 1, 0, "movb %%ah, %0" : M : "a"(v) : "memory");
	STORE("mov immediate", 8, 0, "movq $-5, %0" : M : : "memory");
	STORE("add", 8, 0, "addq $3, %0" : "+m"(*p) : : "memory", "cc");
	STORE("inc", 4, 0, "incl %0" : "+m"(*p) : : "memory", "cc");
	STORE("not", 8, 0, "notq %0" : "+m"(*p) : : "memory");
	STORE("bts", 8, 0, "btsq $13, %0" : "+m"(*p) : : "memory", "cc");
	STORE("shld", 8, 0, "shldq $5, %1, %0" : "+m"(*p) : "r"(v) : "memory", "cc");
	STORE("sete", 1, 0, "cmp %%eax, %%eax; sete %0" : M : : "memory", "cc");
	STORE("pop", 8, 0, "pushq %1; popq (%0)" : : "r"(p), "r"(v) : "memory");
	STORE("movbe", 8, 0, "movbe %1, %0" : M : "r"(v) : "memory");
	STORE("cmpxchg without lock", 8, 0, "cmpxchgq %1, %0" : "+m"(*p) : "r"(v), "a"(0L) : "memory", "cc");
	STORE("xadd without lock", 4, 0, "xaddl %k1, %0" : "+m"(*p), "+r"(v) : : "memory", "cc");
}

static void strings(void)
{
	char buffer[300];
	for (unsigned i = 0; i < sizeof buffer; i++)
		buffer[i] = (char)(i + 1);
	const void *from = buffer;
	void *to;
	unsigned long n;
#define STRING(name, count, size, ...) \
	next_slot(); \
	to = p; \
	from = buffer; \
	n = count; \
	__asm__ volatile(__VA_ARGS__ : "+D"(to), "+S"(from), "+c"(n) : "a"(0x5a5a5a5a5a5a5a5aUL) : "memory"); \
	say_store(0, size, 0, name)
	for (int i = 0; i < 2; i++) { /* the second is an instruction of its own */
		STRING("rep stosl again", 5, 20, "rep stosl");
	}
	STRING("rep movsb", 129, 129, "rep movsb");
	STRING("rep movsq", 33, 264, "rep movsq");
	STRING("rep stosb", 77, 77, "rep stosb");
	STRING("rep stosq", 9, 72, "rep stosq");
	STRING("rep stosw", 9, 18, "rep stosw");
	STRING("stosl", 0, 4, "stosl");
	STRING("movsb", 0, 1, "movsb");
	next_slot();
	to = p + 99;
	from = buffer + 99;
	n = 100;
	__asm__ volatile("std; rep movsb; cld" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
	say_store(0, 100, 0, "rep movsb backwards");
	next_slot();
	memset(p, 7, 1000);
	say_copy(1000, "memset");
	next_slot();
	memcpy(p, buffer, 299);
	say_copy(299, "memcpy");
	next_slot();
	memmove(p, buffer, 150);
	say_copy(150, "memmove");
}

static void vectors(void)
{
	__m128i x = _mm_load_si128((const __m128i *)words);
	STORE("movups", 16, 0, "movups %1, %0" : M : "x"(x) : "memory");
	STORE("movaps", 16, 0, "movaps %1, %0" : M : "x"(x) : "memory");
	STORE("movdqa", 16, 0, "movdqa %1, %0" : M : "x"(x) : "memory");
	STORE("movdqu", 16, 0, "movdqu %1, %0" : M : "x"(x) : "memory");
	STORE("movq xmm", 8, 0, "movq %1, %0" : M : "x"(x) : "memory");
	STORE("movd xmm", 4, 0, "movd %1, %0" : M : "x"(x) : "memory");
	STORE("movss", 4, 0, "movss %1, %0" : M : "x"(x) : "memory");
	STORE("movsd", 8, 0, "movsd %1, %0" : M : "x"(x) : "memory");
	STORE("movlps", 8, 0, "movlps %1, %0" : M : "x"(x) : "memory");
	STORE("movhps", 8, 0, "movhps %1, %0" : M : "x"(x) : "memory");
	STORE("pextrb", 1, 0, "pextrb $3, %1, %0" : M : "x"(x) : "memory");
	STORE("pextrw", 2, 0, "pextrw $3, %1, %0" : M : "x"(x) : "memory");
	STORE("pextrd", 4, 0, "pextrd $3, %1, %0" : M : "x"(x) : "memory");
	STORE("pextrq", 8, 0, "pextrq $1, %1, %0" : M : "x"(x) : "memory");
	STORE("extractps", 4, 0, "extractps $1, %1, %0" : M : "x"(x) : "memory");
	STORE("movq mmx", 8, 0, "movq %1, %%mm0; movq %%mm0, %0; emms" : M : "m"(words[1]) : "memory", "mm0");
	STORE("stmxcsr", 4, 0, "stmxcsr %0" : M : : "memory");
	STORE("movntdq", 16, NT, "movntdq %1, %0" : M : "x"(x) : "memory");
	STORE("movntps", 16, NT, "movntps %1, %0" : M : "x"(x) : "memory");
	STORE("movntpd", 16, NT, "movntpd %1, %0" : M : "x"(x) : "memory");
	STORE("movnti 4", 4, NT, "movnti %k1, %0" : M : "r"(words[2]) : "memory");
	STORE("movnti 8", 8, NT, "movnti %1, %0" : M : "r"(words[3]) : "memory");
	STORE("movnti r9", 8, NT, "movq %1, %%r9; movnti %%r9, %0" : M : "r"(words[3]) : "memory", "r9");
	STORE("movntq", 8, NT, "movq %1, %%mm0; movntq %%mm0, %0; emms" : M : "m"(words[4]) : "memory", "mm0");
	STORE("maskmovdqu", 16, NT, "movq %0, %%rdi; maskmovdqu %2, %1"
			:
			: "r"(p), "x"(x), "x"(_mm_set1_epi8(-1))
			: "memory", "rdi");
	next_slot();
	__asm__ volatile("movq %0, %%rdi; maskmovdqu %2, %1"
					 :
					 : "r"(p), "x"(x), "x"(_mm_setr_epi8(0, -1, -1, 0, 127, 0, 0, 0, 0, 0, 0, -128, 0, 0, -1, 1))
					 : "memory", "rdi");
	say_store(1, 2, NT, "maskmovdqu of some");
	say_store(11, 1, NT, "maskmovdqu of some");
	say_store(14, 1, NT, "maskmovdqu of some");
	next_slot();
	__asm__ volatile("movdqa %1, %%xmm9; movdqa %2, %%xmm12; movq %0, %%rdi; maskmovdqu %%xmm12, %%xmm9"
					 :
					 : "r"(p), "x"(x), "x"(_mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1))
					 : "memory", "rdi", "xmm9", "xmm12");
	say_store(8, 8, NT, "maskmovdqu xmm12");
	next_slot();
	__asm__ volatile("movq %0, %%rdi; maskmovdqu %2, %1"
					 :
					 : "r"(p), "x"(x), "x"(_mm_setzero_si128())
					 : "memory", "rdi"); /* of none */
	next_slot();
	__asm__ volatile("movq %1, %%mm5; movq %2, %%mm6; movq %0, %%rdi; maskmovq %%mm6, %%mm5; emms"
					 :
					 : "r"(p), "m"(words[5]), "m"((uint64_t){0x80000000000000ff})
					 : "memory", "rdi", "mm5", "mm6");
	say_store(0, 1, NT, "maskmovq of some");
	say_store(7, 1, NT, "maskmovq of some");
	STORE("maskmovq", 8, NT, "movq %1, %%mm0; pcmpeqb %%mm1, %%mm1; movq %0, %%rdi; maskmovq %%mm1, %%mm0; emms"
			:
			: "r"(p), "m"(words[5])
			: "memory", "rdi", "mm0", "mm1");
}

__attribute__((target("avx2"))) static void wide_vectors(void)
{
	__m256i y = _mm256_load_si256((const __m256i *)words);
	__m256i ones = _mm256_set1_epi32(-1);
	__m128i x = _mm_load_si128((const __m128i *)words);
	STORE("vmovdqu ymm", 32, 0, "vmovdqu %1, %0" : M : "x"(y) : "memory");
	STORE("vmovdqa ymm", 32, 0, "vmovdqa %1, %0" : M : "x"(y) : "memory");
	STORE("vmovaps ymm", 32, 0, "vmovaps %1, %0" : M : "x"(y) : "memory");
	STORE("vmovups ymm unaligned", 32, 0, "vmovups %1, %0" : "=m"(p[0]) : "x"(y) : "memory");
	STORE("vmovdqu xmm", 16, 0, "vmovdqu %1, %0" : M : "x"(x) : "memory");
	STORE("vmovq", 8, 0, "vmovq %1, %0" : M : "x"(x) : "memory");
	STORE("vextracti128", 16, 0, "vextracti128 $1, %1, %0" : M : "x"(y) : "memory");
	STORE("vextractf128", 16, 0, "vextractf128 $1, %1, %0" : M : "x"(y) : "memory");
	STORE("vmovntdq ymm", 32, NT, "vmovntdq %1, %0" : M : "x"(y) : "memory");
	STORE("vmovntps ymm", 32, NT, "vmovntps %1, %0" : M : "x"(y) : "memory");
	STORE("vmovntpd xmm", 16, NT, "vmovntpd %1, %0" : M : "x"(x) : "memory");
	STORE("vmovntdq xmm", 16, NT, "vmovntdq %1, %0" : M : "x"(x) : "memory");
	STORE("vmovdqu xmm9", 16, 0, "vmovdqa %1, %%xmm9; vmovdqu %%xmm9, %0" : M : "x"(x) : "memory", "xmm9");
	STORE("vmovntdq ymm9", 32, NT, "vmovdqa %1, %%ymm9; vmovntdq %%ymm9, (%0)" : : "r"(p), "x"(y) : "memory", "xmm9");
	STORE("vmaskmovdqu", 16, NT, "movq %0, %%rdi; vmaskmovdqu %2, %1"
			:
			: "r"(p), "x"(x), "x"(_mm_set1_epi8(-1))
			: "memory", "rdi");
	next_slot();
	__asm__ volatile("vmovdqa %2, %%xmm11; movq %0, %%rdi; vmaskmovdqu %%xmm11, %1"
					 :
					 : "r"(p), "x"(x), "x"(_mm_setr_epi32(0, -1, 0, 0))
					 : "memory", "rdi", "xmm11");
	say_store(4, 4, NT, "vmaskmovdqu xmm11 of some");
	STORE("vmaskmovps", 32, 0, "vmaskmovps %1, %2, %0" : M : "x"(y), "x"(ones) : "memory");
	STORE("vmaskmovpd", 32, 0, "vmaskmovpd %1, %2, %0" : M : "x"(y), "x"(ones) : "memory");
	STORE("vpmaskmovd", 32, 0, "vpmaskmovd %1, %2, %0" : M : "x"(y), "x"(ones) : "memory");
	STORE("vpmaskmovq xmm", 16, 0, "vpmaskmovq %1, %2, %0" : M : "x"(x), "x"(_mm_set1_epi8(-1)) : "memory");
	STORE("vmaskmovps half", 16, 0, "vmaskmovps %1, %2, %0"
			: M
			: "x"(y), "x"(_mm256_set_epi32(0, 0, 0, 0, -1, -1, -1, -1))
			: "memory");
	STORE("vstmxcsr", 4, 0, "vstmxcsr %0" : M : : "memory");
	STORE("vcvtps2ph", 16, 0, "vcvtps2ph $0, %1, %0" : M : "x"(_mm256_set1_ps(1.5f)) : "memory");
	__asm__ volatile("vzeroupper" ::: "memory");
}

static void x87(void)
{
	double d = 123.25;
	STORE("fstps", 4, 0, "fldl %1; fstps %0" : M : "m"(d) : "memory");
	STORE("fstpl", 8, 0, "fldl %1; fstpl %0" : M : "m"(d) : "memory");
	STORE("fstpt", 10, 0, "fldl %1; fstpt %0" : M : "m"(d) : "memory");
	STORE("fistps", 2, 0, "fldl %1; fistps %0" : M : "m"(d) : "memory");
	STORE("fistpl", 4, 0, "fldl %1; fistpl %0" : M : "m"(d) : "memory");
	STORE("fistpll", 8, 0, "fldl %1; fistpll %0" : M : "m"(d) : "memory");
	STORE("fisttpll", 8, 0, "fldl %1; fisttpll %0" : M : "m"(d) : "memory");
	STORE("fnstcw", 2, 0, "fnstcw %0" : M : : "memory");
	STORE("fnstsw", 2, 0, "fnstsw %0" : M : : "memory");
	STORE("fnstenv", 28, 0, "fnstenv %0; fldenv %0" : "+m"(*p) : : "memory");
	STORE("fnsave", 108, 0, "fnsave %0; frstor %0" : "+m"(*p) : : "memory");
	p = base + SLOT * slot + 416;
	memset(p, 0x77, 96);
	say_copy(96, "memset");
	next_slot();
	__asm__ volatile("fxsave %0" : "+m"(*p) : : "memory");
	say_copy(416, "fxsave"); /* Valgrind does it in parts */
}

static void locked(void)
{
	uint64_t v = 0x1234;
	STORE("xchg 1", 1, LOCKED, "xchgb %b1, %0" : "+m"(*p), "+q"(v) : : "memory");
	STORE("xchg 8", 8, LOCKED, "xchgq %1, %0" : "+m"(*p), "+r"(v) : : "memory");
	v = 77;
	STORE("xchg r10", 4, LOCKED, "movl %k1, %%r10d; xchgl %%r10d, %0" : "+m"(*p) : "r"(v) : "memory", "r10");
	STORE("lock add", 8, LOCKED, "lock addq $7, %0" : "+m"(*p) : : "memory", "cc");
	STORE("lock inc 1", 1, LOCKED, "lock incb %0" : "+m"(*p) : : "memory", "cc");
	STORE("lock inc 2", 2, LOCKED, "lock incw %0" : "+m"(*p) : : "memory", "cc");
	STORE("lock or", 4, LOCKED, "lock orl $5, %0" : "+m"(*p) : : "memory", "cc");
	STORE("lock not", 8, LOCKED, "lock notq %0" : "+m"(*p) : : "memory");
	STORE("lock bts", 8, LOCKED, "lock btsq $9, %0" : "+m"(*p) : : "memory", "cc");
	v = 55;
	STORE("lock xadd", 8, LOCKED, "lock xaddq %1, %0" : "+m"(*p), "+r"(v) : : "memory", "cc");
	STORE("lock cmpxchg 1", 1, LOCKED, "lock cmpxchgb %b1, %0" : "+m"(*p) : "q"(5L), "a"(0L) : "memory", "cc");
	STORE("lock cmpxchg 2", 2, LOCKED, "lock cmpxchgw %w1, %0" : "+m"(*p) : "r"(0x506L), "a"(0L) : "memory", "cc");
	STORE("lock cmpxchg 4", 4, LOCKED, "lock cmpxchgl %k1, %0" : "+m"(*p) : "r"(0x50607L), "a"(0L) : "memory", "cc");
	STORE("lock cmpxchg 8", 8, LOCKED, "lock cmpxchgq %1, %0" : "+m"(*p) : "r"(0x5060708L), "a"(0L) : "memory", "cc");
	STORE("lock cmpxchg8b", 8, LOCKED, "lock cmpxchg8b %0"
			: "+m"(*p)
			: "a"(0L), "d"(0L), "b"(3L), "c"(4L)
			: "memory", "cc");
	STORE("lock cmpxchg16b", 16, LOCKED, "lock cmpxchg16b %0"
			: "+m"(*p)
			: "a"(0L), "d"(0L), "b"(3L), "c"(4L)
			: "memory", "cc");
	next_slot();
	*(long *)p = 1;
	say_store(0, 8, 0, "before failing compare");
	say("fence 3 failing compare");
	__asm__ volatile("lock cmpxchgq %1, %0" : "+m"(*p) : "r"(5L), "a"(9L) : "memory", "cc");
	p[8] = 1;
	say_store(8, 1, 0, "before failing compare of 16");
	say("fence 3 failing compare of 16");
	__asm__ volatile("lock cmpxchg16b %0" : "+m"(*p) : "a"(9L), "d"(9L), "b"(3L), "c"(4L) : "memory", "cc");
}

static void at_boundaries(void)
{
	long page = 4096;
	next_slot();
	slot = (unsigned)(page * 24 / SLOT);
	next_slot();
	*(uint64_t *)(p - 3) = 0x1112131415161718;
	say_store(-3, 8, 0, "across pages");
	*(uint64_t *)(p + 61) = 0x2122232425262728;
	say_store(61, 8, 0, "across lines");
}

#define FLUSH(name, kind, at) \
	__asm__ volatile(name " %0" : : "m"(p[at]) : "memory"); \
	say("flush %d %ld %s", kind, (long)(p - base) + ((at) & ~63), name)
#define FENCE(name, kind) \
	__asm__ volatile(name : : : "memory"); \
	say("fence %d %s", kind, name)

static void flushes_and_fences(void)
{
	next_slot();
	p[69] = 1;
	say_store(69, 1, 0, "flushed");
	FLUSH("clflush", 1, 64);
	FENCE("mfence", 2);
	FLUSH("clflushopt", 2, 127);
	FENCE("sfence", 1);
	FLUSH("clwb", 3, 300);
	FENCE("sfence", 1);
	__asm__ volatile("mov %0, %%r12; mov $1, %%r9; clwb 64(%%r12, %%r9, 8)" : : "r"(p) : "memory", "r12", "r9");
	say("flush 3 %ld clwb with index", (long)(p - base) + 64);
	__asm__ volatile("clwb -100(%0)" : : "r"(p) : "memory"); /* a displacement of one byte, and of four */
	say("flush 3 %ld clwb with negative displacement", (long)(p - base) - 128);
	__asm__ volatile("clwb -0x1234(%0)" : : "r"(p) : "memory");
	say("flush 3 %ld clwb with large negative displacement", ((long)(p - base) - 0x1234) & ~63L);
	__asm__ volatile("lfence" ::: "memory"); /* orders no store */
	char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(code != MAP_FAILED);
	*code = (char)0xc3;
	__asm__ volatile("clflush %0" : : "m"(*code) : "memory"); /* nothing is to persist */
	FENCE("sfence", 1);
	unsigned a, b, c, d;
	CHECK(__get_cpuid_count(7, 0, &a, &b, &c, &d) && (b >> 23 & 1) && (b >> 24 & 1));
}

/* Code that asks CPUID in vain for movdiri and movdir64b, and uses them all the same. */
static void direct_stores(void)
{
	static char source[64] __attribute__((aligned(64)));
	next_slot();
	for (int i = 0; i < 64; i++)
		source[i] = (char)(i + 1);
	__asm__ volatile("movdiri %1, (%0)" : : "r"(p), "r"(0x0102030405060708L) : "memory");
	say_store(0, 8, NT, "movdiri");
	__asm__ volatile("movdir64b (%1), %0" : : "r"(p + 64), "r"(source) : "memory");
	say_store(64, 64, NT, "movdir64b");
}

int main(int argc, char **argv)
{
	CHECK(argc == 2 && chdir(argv[1]) == 0);
	base = map_file("stores", 128 * 4096);
	plain();
	strings();
	vectors();
	if (__builtin_cpu_supports("avx2"))
		wide_vectors();
	x87();
	locked();
	at_boundaries();
	flushes_and_fences();
	direct_stores();
	say_all();
	return 0;
}
