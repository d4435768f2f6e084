/* SPDX-License-Identifier: Apache-2.0 */
/* probe FILE WAY: reads or writes lines of a file in one way. check.py says which lines that reads. */
#include <emmintrin.h>
#include <fcntl.h>
#include <immintrin.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE 65536
#define CHECK(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "probe: line %d\n", __LINE__); \
			exit(9); \
		} \
	} while (0)

static int file;
static char *pm;
static const char *own_path, *own_name;
static volatile uint64_t sink;

static uint64_t get(unsigned line)
{
	return *(volatile uint64_t *)(pm + 64 * line);
}

static void put(unsigned line)
{
	*(volatile uint64_t *)(pm + 64 * line) = line;
}

static void loads(void)
{
	sink = get(1);
	sink = *(volatile uint8_t *)(pm + 64 * 3 + 63);
	sink = *(volatile uint32_t *)(pm + 64 * 5 - 2); /* lines 4 and 5 */
	sink = *(volatile uint64_t *)(pm + 4096 - 4); /* lines 63 and 64 */
}

static void stores(void)
{
	put(1);
	sink = get(1);
	memset(pm + 64 * 2, 1, 64);
	sink = get(2);
	*(volatile uint64_t *)(pm + 64 * 3) = 1;
	sink = *(volatile uint64_t *)(pm + 64 * 3 + 8); /* not what was stored */
	_mm_stream_si64((long long *)(pm + 64 * 4), 1);
	_mm_store_si128((__m128i *)(pm + 64 * 5), _mm_setzero_si128());
	*(volatile uint64_t *)(pm + 64 * 5 - 4) = 7; /* lines 4 and 5 */
}

/* Parts of lines, in an order of their own. */
static void parts(void)
{
	char copy[4];
	sink = *(volatile uint8_t *)(pm + 64 * 4);
	sink = *(volatile uint64_t *)(pm + 64 * 2 + 4);
	__m128i vector = _mm_loadu_si128((__m128i *)(pm + 64 * 1 + 16));
	__asm__ volatile("" ::"x"(vector));
	sink = *(volatile uint8_t *)(pm + 64 * 3 + 7);
	char *to = copy, *from = pm + 64 * 3 + 60;
	size_t count = sizeof copy;
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count)::"memory");
}

static void changes(void)
{
	__atomic_fetch_add((uint64_t *)(pm + 64 * 1), 1, __ATOMIC_SEQ_CST);
	uint64_t expected = 0;
	__atomic_compare_exchange_n((uint64_t *)(pm + 64 * 2), &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	*(volatile uint32_t *)(pm + 64 * 3) |= 4;
	__atomic_exchange_n((uint8_t *)(pm + 64 * 4), 1, __ATOMIC_SEQ_CST);
	if (*(volatile int *)(pm + 64 * 5) == 12345)
		sink = 1;
}

static void flushes(void)
{
	_mm_clflush(pm + 64 * 1);
	__asm__ volatile(".byte 0x66; clflush %0" : "+m"(*(char *)(pm + 64 * 2))); /* clflushopt */
	__builtin_prefetch(pm + 64 * 3);
	put(4);
	_mm_clflush(pm + 64 * 4);
}

/* One load with known registers and flags; what they are after it. */
struct state {
	uint64_t rax, rbx, flags;
};
#define ARITHMETIC 0x8d5
#define CARRY_AND_OVERFLOW 0x801
#define FORM(text) \
	({ \
		uint64_t rax = in.rax, rbx = in.rbx, flags = in.flags; \
		register uint64_t index __asm__("r9") = in.rax & 1; \
		register const char *from __asm__("rsi") = at; \
		__asm__ volatile("sub $128, %%rsp\n\tpush %[flags]\n\tpopfq\n\t" text \
						 "\n\tpushfq\n\tpop %[flags]\n\tadd $128, %%rsp" \
						 : "+a"(rax), "+b"(rbx), [flags] "+d"(flags), "+r"(from) \
						 : "r"(index) \
						 : "memory", "cc", "xmm3", "xmm4", "mm0"); \
		(struct state){rax, rbx, flags & ARITHMETIC}; \
	})

/* What is above the register stays. */
#define VECTOR(load) \
	"vpcmpeqd %%ymm3, %%ymm3, %%ymm3; " load ", %%xmm3; vextracti128 $1, %%ymm3, %%xmm4; movq %%xmm3, %%rax; " \
	"pextrq $1, %%xmm3, %%rbx; vmovq %%xmm4, %%rsi; xor %%rsi, %%rbx"

static struct state form(unsigned number, const char *at, struct state in)
{
	switch (number) {
	case 0: return FORM("movq (%%rsi), %%rax");
	case 1: return FORM("movl 4(%%rsi), %%eax");
	case 2: return FORM("movw (%%rsi), %%ax");
	case 3: return FORM("movb (%%rsi), %%al");
	case 4: return FORM("movb 1(%%rsi), %%ah");
	case 5: return FORM("movb 1(%%rsi), %%bh");
	case 6: return FORM("movzbl (%%rsi), %%eax");
	case 7: return FORM("movzwl (%%rsi), %%ebx");
	case 8: return FORM("movsbl (%%rsi), %%eax");
	case 9: return FORM("movsbq (%%rsi), %%rax");
	case 10: return FORM("movswl (%%rsi), %%eax");
	case 11: return FORM("movslq (%%rsi), %%rax");
	case 12: return FORM("movsbw (%%rsi), %%ax");
	case 13: return FORM("movq (%%rsi,%%r9,8), %%rax");
	case 14: return FORM("movl -8(%%rsi,%%r9,4), %%ebx");
	case 15: return FORM("addq (%%rsi), %%rax");
	case 16: return FORM("addl (%%rsi), %%ebx");
	case 17: return FORM("addw (%%rsi), %%bx");
	case 18: return FORM("addb (%%rsi), %%bl");
	case 19: return FORM("addb (%%rsi), %%bh");
	case 20: return FORM("orq (%%rsi), %%rax");
	case 21: return FORM("andq (%%rsi), %%rax");
	case 22: return FORM("andl (%%rsi), %%eax");
	case 23: return FORM("subq (%%rsi), %%rax");
	case 24: return FORM("subw (%%rsi), %%ax");
	case 25: return FORM("xorq (%%rsi), %%rbx");
	case 26: return FORM("xorb (%%rsi), %%ah");
	case 27: return FORM("cmpq (%%rsi), %%rax");
	case 28: return FORM("cmpq %%rax, (%%rsi)");
	case 29: return FORM("cmpl (%%rsi), %%ebx");
	case 30: return FORM("cmpl %%ebx, (%%rsi)");
	case 31: return FORM("cmpb %%ah, (%%rsi)");
	case 32: return FORM("cmpq $0, (%%rsi)");
	case 33: return FORM("cmpq $-3, (%%rsi)");
	case 34: return FORM("cmpl $0x12345678, (%%rsi)");
	case 35: return FORM("cmpq $-0x12345678, (%%rsi)");
	case 36: return FORM("cmpw $0x1234, (%%rsi)");
	case 37: return FORM("cmpw $-2, (%%rsi)");
	case 38: return FORM("cmpb $-2, (%%rsi)");
	case 39: return FORM("testq %%rax, (%%rsi)");
	case 40: return FORM("testl %%ebx, (%%rsi)");
	case 41: return FORM("testb %%ah, (%%rsi)");
	case 42: return FORM("testb $0x81, (%%rsi)");
	case 43: return FORM("testl $0x80000001, (%%rsi)");
	case 44: return FORM("testq $-0x7fffffff, (%%rsi)");
	case 45: return FORM("testw $0x8001, (%%rsi)");
	case 46: return FORM("stc; adcq (%%rsi), %%rax");
	case 47: return FORM("sbbl (%%rsi), %%ebx");
	case 48: return FORM("prefetcht0 (%%rsi)");
	case 49: return FORM("clflush (%%rsi)");
	case 50: return FORM("imulq (%%rsi), %%rax");
	case 51: return FORM("imull (%%rsi), %%ebx");
	case 52: return FORM("imulw (%%rsi), %%bx");
	case 53: return FORM("push %%rdx; mov $5, %%edx; divq (%%rsi); mov %%rdx, %%rbx; pop %%rdx; cmp %%rsi, %%rsi");
	case 54: return FORM("push %%rdx; mov $5, %%edx; divl (%%rsi); mov %%rdx, %%rbx; pop %%rdx; cmp %%rsi, %%rsi");
	case 55: return FORM(VECTOR("movdqu (%%rsi)"));
	case 56: return FORM(VECTOR("movups (%%rsi)"));
	case 57: return FORM(VECTOR("and $-16, %%rsi; movdqa (%%rsi)"));
	case 58: return FORM(VECTOR("and $-16, %%rsi; movaps (%%rsi)"));
	case 59: return FORM(VECTOR("movq (%%rsi)"));
	case 60: return FORM(VECTOR("movsd (%%rsi)"));
	case 61: return FORM(VECTOR("movss (%%rsi)"));
	case 62: return FORM(VECTOR("movupd (%%rsi)"));
	default: CHECK(number == 63); return FORM("movq (%%rsi), %%mm0; movq %%mm0, %%rax; emms");
	}
}

/* Loads with all their registers and flags, as they are on memory that is not watched. */
static void emulates(void)
{
	char *own = malloc(SIZE);
	uint64_t random = 88172645463325252;
	CHECK(own != NULL);
	for (size_t i = 0; i < SIZE; i++) {
		random = random * 6364136223846793005 + 1442695040888963407;
		own[i] = random >> 56;
	}
	CHECK(pwrite(file, own, SIZE, 0) == SIZE);
	for (unsigned i = 0; i < 64 * 16; i++) {
		uint64_t some[4];
		for (unsigned j = 0; j < 4; j++) {
			random ^= random << 13;
			random ^= random >> 7;
			random ^= random << 17;
			some[j] = random % 3 == 0 ? (uint64_t)((int64_t)random >> 60) : random;
		}
		struct state in = {some[0], some[1], (some[2] & ARITHMETIC) | 2};
		size_t at = i % 16 * 4096 + 64 * 5 + 8 + some[3] % 40;
		struct state known = form(i / 16, own + at, in), seen = form(i / 16, pm + at, in);
		if (i / 16 >= 50 && i / 16 <= 52) { /* products leave the other flags undefined */
			known.flags &= CARRY_AND_OVERFLOW;
			seen.flags &= CARRY_AND_OVERFLOW;
		}
		if (known.rax != seen.rax || known.rbx != seen.rbx || known.flags != seen.flags) {
			fprintf(stderr, "form %u: %lx %lx %lx, not %lx %lx %lx\n", i / 16, seen.rax, seen.rbx, seen.flags,
					known.rax, known.rbx, known.flags);
			exit(9);
		}
	}
	free(own);
}

/* One store with known registers. */
#define STORE(text) \
	__asm__ volatile("vmovdqu %[vector], %%ymm3; vmovdqu 32%[vector], %%ymm4; vmovdqa %%ymm4, %%ymm12; " text \
					 : \
					 : "a"(some), "b"(~some), "c"(1L), "S"(to), [vector] "o"(vector) \
					 : "memory", "r8", "r9", "xmm3", "xmm4", "xmm12")
#define STORE_512(text) \
	__asm__ volatile("vmovdqu64 %[vector], %%zmm3; vmovdqu64 %%zmm3, %%zmm12; vpslld $3, %%zmm3, %%zmm20; " text \
					 : \
					 : "a"(some), "b"(~some), "c"(1L), "S"(to), [vector] "o"(vector) \
					 : "memory", "r8", "edx", "xmm3", "xmm12")

/* Whether there is such a form. It writes up to 64 bytes behind the address, which is aligned. */
static bool store_form(unsigned number, char *to, uint64_t some, const char (*all)[64])
{
	const struct {
		char bytes[64];
	} vector = *(const typeof(vector) *)all;
	switch (number) {
	case 0: STORE("movq %%rax, (%%rsi)"); return true;
	case 1: STORE("movl %%ebx, 3(%%rsi)"); return true;
	case 2: STORE("movw %%ax, 1(%%rsi)"); return true;
	case 3: STORE("movb %%al, (%%rsi)"); return true;
	case 4: STORE("movb %%ah, 5(%%rsi)"); return true;
	case 5: STORE("movb %%bh, 5(%%rsi,%%rcx,4)"); return true;
	case 6: STORE("mov %%rax, %%r9; movb %%r9b, 7(%%rsi)"); return true;
	case 7: STORE("movb $-3, (%%rsi)"); return true;
	case 8: STORE("movw $0x1234, (%%rsi)"); return true;
	case 9: STORE("movl $0x87654321, 8(%%rsi)"); return true;
	case 10: STORE("movq $-2, 8(%%rsi,%%rcx,8)"); return true;
	case 11: STORE("movnti %%rax, (%%rsi)"); return true;
	case 12: STORE("movnti %%eax, 4(%%rsi)"); return true;
	case 13: STORE("movups %%xmm3, 5(%%rsi)"); return true;
	case 14: STORE("movupd %%xmm4, 1(%%rsi)"); return true;
	case 15: STORE("movss %%xmm3, 3(%%rsi)"); return true;
	case 16: STORE("movsd %%xmm12, 3(%%rsi)"); return true;
	case 17: STORE("movaps %%xmm12, 16(%%rsi)"); return true;
	case 18: STORE("movdqa %%xmm3, 16(%%rsi)"); return true;
	case 19: STORE("movdqu %%xmm4, 17(%%rsi)"); return true;
	case 20: STORE("movntdq %%xmm4, 32(%%rsi)"); return true;
	case 21: STORE("movntps %%xmm4, 32(%%rsi)"); return true;
	case 22: STORE("movq %%xmm3, 2(%%rsi)"); return true;
	case 23: STORE("movd %%xmm3, 2(%%rsi)"); return true;
	case 24: STORE("movlps %%xmm3, 2(%%rsi)"); return true;
	case 25: STORE("movhps %%xmm3, 2(%%rsi)"); return true;
	case 26: STORE("movhpd %%xmm12, 2(%%rsi)"); return true;
	case 27: STORE("vmovdqu %%ymm3, 7(%%rsi)"); return true;
	case 28: STORE("vmovdqu %%ymm12, 7(%%rsi,%%rcx,8)"); return true;
	case 29: STORE("vmovaps %%ymm4, 32(%%rsi)"); return true;
	case 30: STORE("vmovntdq %%ymm4, 32(%%rsi)"); return true;
	case 31: STORE("vmovups %%xmm12, 9(%%rsi)"); return true;
	case 32: STORE("vmovss %%xmm12, 9(%%rsi)"); return true;
	case 33: STORE("vmovsd %%xmm4, 9(%%rsi)"); return true;
	case 34: STORE("vmovq %%xmm4, 9(%%rsi)"); return true;
	case 35: STORE("vmovd %%xmm4, 9(%%rsi)"); return true;
	case 36: STORE("mov %%rsi, %%r8; vmovdqu %%ymm4, 3(%%r8)"); return true;
	case 37: STORE("pextrq $1, %%xmm3, 8(%%rsi)"); return true; /* is not known */
	case 38: STORE("push %%rax; popq 8(%%rsi)"); return true; /* neither */
	default: break;
	}
	if (!__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("avx512bw"))
		return false;
	switch (number) {
	case 39: STORE_512("vmovdqu64 %%zmm3, (%%rsi)"); return true;
	case 40: STORE_512("vmovdqu64 %%zmm12, 64(%%rsi)"); return true;
	case 41: STORE_512("vmovdqu8 %%zmm20, 1(%%rsi)"); return true;
	case 42: STORE_512("vmovntdq %%zmm20, 64(%%rsi)"); return true;
	case 43: STORE_512("vmovdqa32 %%ymm20, 32(%%rsi)"); return true;
	case 44: STORE_512("vmovups %%xmm20, 16(%%rsi,%%rcx,2)"); return true;
	case 45: STORE_512("mov $5, %%edx; kmovd %%edx, %%k1; vmovdqu32 %%zmm3, (%%rsi)%{%%k1%}"); return true; /* parts */
	case 46: STORE_512("vmovsd %%xmm20, 8(%%rsi)"); return true;
	default: return false;
	}
}

/* Stores of all their bytes and no other ones, as they are on memory that is not watched. */
static void moves(void)
{
	char *own = aligned_alloc(4096, SIZE), all[64];
	CHECK(own != NULL);
	memset(own, 0, SIZE); /* as the file is */
	for (unsigned i = 0; i < sizeof all; i++)
		all[i] = (char)(i * 37 + 11);
	for (unsigned i = 0; i < 47 * 8; i++) {
		size_t at = i % 16 * 4096 + i / 16 % 31 * 128;
		uint64_t some = (i + 1) * 0x9e3779b97f4a7c15ULL;
		if (store_form(i % 47, own + at, some, &all))
			store_form(i % 47, pm + at, some, &all);
	}
	CHECK(memcmp(own, pm, SIZE) == 0);
	free(own);
}

/* Filling and copying, a page and more. */
static void fills(void)
{
	char *own = aligned_alloc(4096, SIZE);
	CHECK(own != NULL);
	memset(own, 0, SIZE); /* as the file is */
	static char source[8008];
	for (unsigned i = 0; i < sizeof source; i++)
		source[i] = (char)(i * 13 + i / 256);
	char *to = pm + 100;
	size_t count = 9000;
	const char *unused = source;
	__asm__ volatile("rep stosw" : "+D"(to), "+c"(count), "+S"(unused) : "a"(0x4321L) : "memory");
	CHECK(to == pm + 100 + 18000 && count == 0 && unused == source);
	for (size_t i = 100; i < 18100; i++)
		own[i] = i % 2 ? 0x43 : 0x21;
	const char *from = source;
	to = pm + 40000;
	count = 1001;
	__asm__ volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(count)::"memory");
	CHECK(to == pm + 40000 + 8008 && from == source + 8008 && count == 0);
	memcpy(own + 40000, source, sizeof source);
	/* It overlaps. */
	pm[50000] = own[50000] = 9;
	from = pm + 50000;
	to = pm + 50001;
	count = 700;
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count)::"memory");
	memset(own + 50001, own[50000], 700);
	CHECK(memcmp(own, pm, SIZE) == 0);
	free(own);
}

/* Code that is made while the program runs: loads of the first word, then of the second one, at one address. */
static uint64_t run_made(char *room, uint8_t offset)
{
	const uint8_t code[] = {0x48, 0x8b, 0x47, offset, 0x48, 0x8d, 0x40, offset, 0xc3}; /* mov, lea, ret */
	CHECK(mprotect(room, 4096, PROT_READ | PROT_WRITE) == 0);
	memcpy(room, code, sizeof code);
	CHECK(mprotect(room, 4096, PROT_READ | PROT_EXEC) == 0);
	return ((uint64_t(*)(const char *))room)(pm + 64);
}

static void patches(void)
{
	char *room = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(room != MAP_FAILED);
	/* Nothing traps before the first of it does. */
	const uint64_t words[] = {1000, 2000, 3000};
	CHECK(pwrite(file, words, sizeof words, 64) == sizeof words);
	CHECK(run_made(room, 0) == 1000);
	CHECK(run_made(room, 8) == 2008);
	/* Another process has other code there. */
	pid_t child = fork();
	CHECK(child >= 0);
	if (child == 0)
		_exit(run_made(room, 16) == 3016 ? 7 : 8);
	int status;
	CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7);
	CHECK(((uint64_t(*)(const char *))room)(pm + 64) == 2008);
	/* And so has another mapping. */
	CHECK(munmap(room, 4096) == 0);
	CHECK(mmap(room, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == room);
	const uint8_t code[] = {0x48, 0x8b, 0x47, 16, 0xc3};
	memcpy(room, code, sizeof code);
	CHECK(((uint64_t(*)(const char *))room)(pm + 64) == 3000);
}

static __thread volatile uint64_t own_of_thread = 5;

/* What a thread has of its own, between loads. */
static void locals(void)
{
	volatile uint64_t on_stack = 0;
	for (unsigned i = 0; i < 200; i++) {
		sink = get(1);
		own_of_thread += 3;
		on_stack += own_of_thread;
	}
	CHECK(own_of_thread == 605 && on_stack == 200 * 5 + 3 * 200 * 201 / 2);
}

/* Buffers that begin in one mapping and end in the next one. */
static void rows(void)
{
	char *room = mmap(NULL, 16384, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(room != MAP_FAILED);
	/* Page 15, then 1 and 2. */
	CHECK(mmap(room, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 4096 * 15) == room);
	CHECK(mmap(room + 4096, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 4096) == room + 4096);
	int null = open("/dev/null", O_WRONLY);
	/* Lines 64 to 128; what other registers hold may stop a call, too. */
	CHECK(null >= 0 && syscall(SYS_write, null, room + 4096 - 8, 4096 + 72, 0, 0, 0) == 4096 + 72);
	CHECK(munmap(room, 16384) == 0);
	CHECK(write(null, pm + 4096 * 3 + 64, 8) == 8);
}

/* Mappings that come and go, more often than there are filters. */
static void again(void)
{
	for (unsigned i = 0; i < 40; i++) {
		char *one = mmap(NULL, 4096 * (1 + i % 20), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
		CHECK(one != MAP_FAILED);
		sink = *(volatile uint64_t *)(one + 64);
		CHECK(munmap(one, 4096 * (1 + i % 20)) == 0);
	}
	sink = get(65);
}

/* What is mapped over it is not watched. */
static void maps(void)
{
	sink = get(1);
	CHECK(mmap(pm + 8192, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == pm + 8192);
	sink = get(129);
	CHECK(munmap(pm + 12288, 4096) == 0);
	char *other = mmap(pm + 12288, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(other == pm + 12288);
	sink = get(193);
	sink = get(66);
}

/* The flags of a library's mapping. */
static void denies(void)
{
	char *other = mmap(NULL, SIZE, PROT_READ, MAP_PRIVATE | MAP_DENYWRITE, file, 0);
	CHECK(other != MAP_FAILED);
	sink = *(volatile uint64_t *)(other + 64 * 67);
}

/* As ld.so maps all but the first part of a library; main has mapped nothing else. */
static void fixes(void)
{
	char *room = mmap(NULL, SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(room != MAP_FAILED);
	CHECK(mmap(room, SIZE, PROT_READ, MAP_PRIVATE | MAP_DENYWRITE | MAP_FIXED, file, 0) == room);
	sink = *(volatile uint64_t *)(room + 64 * 130);
}

/* A filter that forbids mprotect. */
static void sandboxed(void)
{
	struct sock_filter code[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
			BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 1),
			BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
	struct sock_fprog program = {.len = 4, .filter = code};
	CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
	for (unsigned i = 0; i < 1000; i++)
		sink = get(1);
}

static void copies(void)
{
	static char to[SIZE];
	memcpy(to, pm + 64 * 10, 200); /* 10 to 13 */
	memcpy(pm + 4096, to, 4096); /* page 1 is overwritten */
	memcpy(to, pm + 4096, 4096);
	memmove(pm + 8192, pm + 12288, 128); /* 192 and 193 are read, 128 and 129 written */
	sink = get(129);
	memset(pm + 16384, 5, 8192);
	sink = get(256 + 77);
	CHECK(memcmp(pm + 64 * 20, pm + 64 * 30, 64) == 0);
}

static void strings(void)
{
	char *to = pm + 4096, *from = pm + 64 * 2;
	size_t count = 300;
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count)::"memory"); /* 2 to 6 */
	to = pm + 8192;
	count = 64;
	__asm__ volatile("rep stosq" : "+D"(to), "+c"(count) : "a"(1L) : "memory");
	sink = get(64) + get(128);
	from = pm + 64 * 9;
	__asm__ volatile("lodsq" : "+S"(from)::"rax", "memory");
	to = pm + 64 * 11 + 32;
	count = 40; /* 11 and 12: all are 0 */
	__asm__ volatile("repe scasb" : "+D"(to), "+c"(count) : "a"(0) : "memory", "cc");
}

static void calls(void)
{
	char bytes[256];
	int null = open("/dev/null", O_WRONLY);
	CHECK(null >= 0 && write(null, pm + 64 * 1, 65) == 65); /* 1 and 2 */
	CHECK(pread(file, bytes, 64, 64 * 65) == 64);
	CHECK(lseek(file, 64 * 130, SEEK_SET) == 64 * 130 && read(file, bytes, 10) == 10);
	struct iovec vector[2] = {{pm + 12288, 10}, {bytes, 10}};
	CHECK(writev(null, vector, 2) == 20); /* 192 */
	struct iovec into[2] = {{bytes, 64}, {bytes + 64, 64}};
	CHECK(preadv(file, into, 2, 16384 + 32) == 128); /* 256 to 258 */
	CHECK(msync(pm + 4096 * 5, 4096, MS_SYNC) == 0);
	CHECK(pwrite(file, bytes, 64, 4096 * 6) == 64);
}

static sigjmp_buf back;
static volatile sig_atomic_t caught;

static void on_fault(int signal, siginfo_t *info, void *context)
{
	(void)context;
	CHECK(signal == SIGSEGV && (char *)info->si_addr == pm + 8192);
	caught++;
	siglongjmp(back, 1);
}

static void faults(void)
{
	static char stack[1 << 16];
	stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
	CHECK(sigaltstack(&alternate, NULL) == 0);
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	CHECK(sigaction(SIGSEGV, &action, NULL) == 0);
	sink = get(1);
	CHECK(mprotect(pm + 8192, 4096, PROT_NONE) == 0);
	if (sigsetjmp(back, 1) == 0)
		sink = get(128);
	CHECK(mprotect(pm + 8192, 4096, PROT_READ) == 0);
	sink = get(130);
	if (sigsetjmp(back, 1) == 0)
		*(volatile uint64_t *)(pm + 8192) = 1; /* it is read-only */
	CHECK(caught == 2);
}

static void alarmed(int signal)
{
	(void)signal;
	caught++;
	sink = get(7);
}

/* A timer that ends in the middle of it all. */
static void signals(void)
{
	signal(SIGALRM, alarmed);
	CHECK(ualarm(200, 200) == 0);
	while (caught < 20)
		sink = get(1) + get(65);
	ualarm(0, 0);
}

static void twice(void)
{
	char *other = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 4096);
	char *own = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 8192);
	CHECK(other != MAP_FAILED && own != MAP_FAILED);
	put(65);
	sink = *(volatile uint64_t *)(other + 64); /* 65 was stored */
	sink = *(volatile uint64_t *)(other + 64 * 3); /* 67 */
	*(volatile uint64_t *)(own + 64) = 1; /* 129, in a copy */
	CHECK(get(129) == 0); /* and here the file's */
	CHECK(munmap(other, 8192) == 0);
	sink = get(70);
}

static void moved(void)
{
	char *one = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 4096 * 3);
	CHECK(one != MAP_FAILED);
	one = mremap(one, 4096, 8192, MREMAP_MAYMOVE);
	CHECK(one != MAP_FAILED);
	sink = *(volatile uint64_t *)(one + 64);
}

static void forks(void)
{
	sink = get(1);
	pid_t child = fork();
	if (child == 0) {
		sink = get(66);
		_exit(0);
	}
	int status;
	CHECK(waitpid(child, &status, 0) == child && status == 0);
	sink = get(130);
}

extern char **environ;

static void spawns(void)
{
	pid_t child;
	int status;
	char *arguments[] = {(char *)own_name, (char *)own_path, "loads", NULL};
	CHECK(posix_spawn(&child, own_name, NULL, NULL, arguments, environ) == 0);
	CHECK(waitpid(child, &status, 0) == child && status == 0);
	char text[600];
	snprintf(text, sizeof text, "%s %s flushes", own_name, own_path);
	CHECK(system(text) == 0);
}

static void *thread(void *argument)
{
	for (int i = 0; i < 2000; i++)
		sink = get((uintptr_t)argument);
	return NULL;
}

static void threads(void)
{
	pthread_t other[4];
	for (uintptr_t i = 0; i < 4; i++)
		CHECK(pthread_create(&other[i], NULL, thread, (void *)(i * 64 + i)) == 0);
	for (int i = 0; i < 4; i++)
		CHECK(pthread_join(other[i], NULL) == 0);
	sink = get(64 * 6 + 1);
}

/* More traps than are worth it. */
static void often(void)
{
	for (int i = 0; i < 5000; i++)
		sink = get(i % 8);
}

static void dies(void)
{
	sink = get(1);
	abort();
}

int main(int count, char **arguments)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} ways[] = {{"loads", loads}, {"stores", stores}, {"parts", parts}, {"changes", changes}, {"flushes", flushes},
			{"emulates", emulates}, {"moves", moves}, {"fills", fills}, {"patches", patches}, {"locals", locals},
			{"rows", rows}, {"again", again}, {"maps", maps}, {"denies", denies}, {"fixes", fixes},
			{"sandboxed", sandboxed}, {"copies", copies}, {"strings", strings}, {"calls", calls}, {"faults", faults},
			{"signals", signals}, {"twice", twice}, {"moved", moved}, {"forks", forks}, {"spawns", spawns},
			{"threads", threads}, {"often", often}, {"dies", dies}};
	CHECK(count == 3);
	own_name = arguments[0];
	own_path = arguments[1];
	file = open(arguments[1], O_RDWR);
	CHECK(file >= 0);
	if (strcmp(arguments[2], "fixes") != 0) {
		pm = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
		CHECK(pm != MAP_FAILED);
	}
	for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++)
		if (strcmp(ways[i].name, arguments[2]) == 0) {
			ways[i].run();
			printf("done\n");
			return 5 * (strcmp(arguments[2], "often") == 0);
		}
	CHECK(0);
}
