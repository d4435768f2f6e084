/* SPDX-License-Identifier: Apache-2.0 */
/*
 * judge FILE WAY (without: all ways): a recovery that looks at a file in one way, and says what it made of it. conditions.py checks that it
 * says the same on other files of which powercut-reads holds that it does.
 */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define NEVER_INLINE __attribute__((noinline, noclone))

enum { WORDS = 8 * 8 };

static uint64_t *pm;
static volatile uint64_t sink;
static uint64_t kept[4];

/* PMDK's, of two lines, with the sum in the line before. */
static NEVER_INLINE uint64_t fletcher(const uint64_t *from, const uint64_t *end)
{
	const uint32_t *word = (const uint32_t *)from;
	uint32_t low = 0, high = 0;
	while (word < (const uint32_t *)end) {
		low += *word++;
		high += low;
	}
	return (uint64_t)high << 32 | low;
}

static NEVER_INLINE int is_valid(void)
{
	return fletcher(pm + 8, pm + 24) == pm[0];
}

/* Long enough for registers to be used for something else, or not. */
static NEVER_INLINE uint64_t other_work(uint64_t from)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < 3000; i++)
		sum = sum * 31 + (from ^ i);
	sink = sum;
	return sum;
}

static const char *checksum(void)
{
	if (!is_valid())
		return "ignored";
	return pm[8] > 100 ? "valid, large" : "valid, small";
}

static const char *crc(void)
{
	static uint32_t table[256];
	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] & 1 ? table[i] >> 1 ^ 0xedb88320 : table[i] >> 1;
	}
	uint32_t sum = UINT32_MAX;
	for (const uint8_t *byte = (uint8_t *)(pm + 8); byte < (uint8_t *)(pm + 24); byte++)
		sum = sum >> 8 ^ table[(sum ^ *byte) & 0xff];
	return sum == (uint32_t)pm[0] ? "valid" : "ignored";
}

/* Becomes a loop with vectors. */
static const char *vectors(void)
{
	uint64_t sum = 0;
	for (unsigned i = 8; i < 40; i++)
		sum += pm[i];
	return sum == pm[0] ? "valid" : "ignored";
}

static const char *copies(void)
{
	return memcmp(pm + 8, pm + 24, 128) == 0 ? "alike" : "unlike";
}

static const char *branches(void)
{
	static char text[64];
	int64_t first = (int64_t)pm[8], second = (int64_t)pm[9];
	unsigned made = 0;
	made |= first < second ? 1 : 0;
	made |= pm[8] < pm[9] ? 2 : 0;
	made |= (first & 0x10) ? 4 : 0;
	made |= (uint16_t)first == (uint16_t)second ? 8 : 0;
	made |= (int8_t)pm[10] > 3 ? 16 : 0;
	made |= (pm[11] >> 7 & 3) == 2 ? 32 : 0;
	made |= pm[12] + pm[13] == 0 ? 64 : 0;
	made |= (int32_t)pm[14] - (int32_t)pm[15] < 0 ? 128 : 0;
	snprintf(text, sizeof text, "%x", made);
	return text;
}

/* Where it looks depends on what it found before. */
static const char *follows(void)
{
	uint64_t at = 8;
	for (unsigned i = 0; i < 6; i++)
		at = 8 + ((pm[at] + i) & 31);
	return at & 1 ? "odd" : at > 30 ? "large" : "small";
}

static const char *multiplied(void)
{
	uint64_t sum = 7;
	for (unsigned i = 8; i < 12; i++)
		sum = (sum ^ pm[i]) * 0x100000001b3ULL;
	return sum % 3 == 0 ? "third" : sum / 7 > 1ULL << 60 ? "large" : "small";
}

static const char *stored(void)
{
	kept[0] = pm[8] + pm[9];
	kept[1] = pm[10] ^ pm[11];
	other_work(1);
	return kept[0] == kept[1] ? "alike" : kept[0] & 1 ? "odd" : "even";
}

static const char *pushed(void)
{
	uint64_t value = pm[8], back;
	__asm__ volatile("sub $128, %%rsp\n\tpush %1\n\txor %1, %1\n\tpop %0\n\tadd $128, %%rsp"
					 : "=&r"(back), "+r"(value)::"memory", "cc");
	return back & 4 ? "set" : "clear";
}

/* Leaves what it loads in a register that no function returns values in. */
__asm__(".text\n.type hide, @function\nhide:\n\tmov (%rdi), %r8\n\tmov 8(%rdi), %r10\n\txor %eax, %eax\n\tret\n"
		".type show, @function\nshow:\n\tmov %r8, %rax\n\tret\n"
		".type jump, @function\njump:\n\tcall 1f\n2:\n\tpause\n\tjmp 2b\n1:\n\tmov %rsi, (%rsp)\n\tret\n"
		".type push, @function\npush:\n\tadd $8, %rsp\n\tpush %rsi\n\tret\n"
		".type skip, @function\nskip:\n\tcall 1f\n2:\n\tpause\n\tjmp 2b\n1:\n\tlea 8(%rsp), %rsp\n\tret\n"
		".type add, @function\nadd:\n\tcall 1f\n2:\n\tpause\n\tjmp 2b\n1:\n\tadd $8, %rsp\n\tmov $1, %ecx\n\tret\n");

/* All of it in one piece, so that no compiler puts anything between. */
#define SHOWN(between) \
	({ \
		uint64_t shown; \
		__asm__ volatile("sub $128, %%rsp\n\tmov %1, %%rdi\n\tcall hide\n\t" between \
						 "\n\tcall show\n\tadd $128, %%rsp" \
						 : "=&a"(shown) \
						 : "r"(pm + 8) \
						 : "rdi", "rsi", "rcx", "rdx", "r8", "r9", "r10", "r11", "memory", "cc"); \
		shown & 1 ? "odd" : "even"; \
	})

static const char *hidden(void)
{
	return SHOWN("");
}

static const char *hidden_long(void)
{
	return SHOWN("mov $100000, %%ecx\n1:\n\timul $3, %%rdx, %%rdx\n\tdec %%ecx\n\tjnz 1b");
}

static const char *hidden_jump(void)
{
	return SHOWN("lea 1f(%%rip), %%rsi\n\tcall jump\n1:\n\tadd $8, %%rsp\n\tmov $1, %%ecx\n\tmov $1, %%edx");
}

static const char *hidden_skip(void)
{
	return SHOWN("mov $1, %%edx\n\tcall skip\n\tmov $1, %%edx");
}

static const char *hidden_add(void)
{
	return SHOWN("mov $1, %%edx\n\tcall add\n\tmov $1, %%edx");
}

static const char *hidden_push(void)
{
	return SHOWN("lea 1f(%%rip), %%rsi\n\tcall push\n1:\n\tmov $1, %%ecx\n\tmov $1, %%edx");
}

static const char *hidden_frame(void)
{
	return SHOWN("push %%rbp\n\tmov %%rsp, %%rbp\n\tsub $32, %%rsp\n\tmov $9, %%ecx\n1:\n\tpush %%rcx\n\tdec %%ecx\n\t"
				 "jnz 1b\n\tleave");
}

static const char *hidden_flags(void)
{
	uint64_t shown;
	__asm__ volatile("cmpq $50, (%1)\n\tlea 1(%0), %0\n\tmov $77, %%ecx\n\tmov $0, %%edx\n\tmov $1, %%esi\n\t"
					 "mov $2, %%edi\n\tmov $3, %%r8d\n\tmov $3, %%r9d\n\tmov $3, %%r10d\n\tseta %b0\n\tmovzbl %b0, %k0"
					 : "=&a"(shown)
					 : "r"(pm + 8)
					 : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "cc", "memory");
	return shown ? "above" : "below";
}

static sigjmp_buf back;

/* The value is in a register when it jumps, and stays there. */
#pragma GCC diagnostic ignored "-Wclobbered"
static const char *jumps(void)
{
	register uint64_t value __asm__("r12") = pm[8];
	__asm__ volatile("" : "+r"(value));
	if (sigsetjmp(back, 0) == 0)
		siglongjmp(back, 1);
	__asm__ volatile("" : "+r"(value));
	return value & 1 ? "odd" : "even";
}

static void on_signal(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)info;
	(void)context;
	kept[2]++;
}

static const char *raises(void)
{
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
	sigaction(SIGUSR1, &action, NULL);
	register uint64_t value __asm__("r13") = pm[9];
	__asm__ volatile("" : "+r"(value));
	raise(SIGUSR1);
	__asm__ volatile("" : "+r"(value));
	return value + kept[2] > 60 ? "large" : "small";
}

static const char *dispatches(void)
{
	switch (pm[8] % 11) {
	case 0: return "nothing";
	case 1: return "one";
	case 2: return sink ? "two!" : "two";
	case 3: other_work(3); return "three";
	case 4: return "four";
	case 5: return "five";
	case 6: other_work(4); return "six";
	default: return "many";
	}
}

static void *thread(void *argument)
{
	other_work((uintptr_t)argument);
	return (void *)(uintptr_t)(is_valid() + (pm[30] == 5));
}

static const char *threads(void)
{
	pthread_t other;
	void *result;
	if (pthread_create(&other, NULL, thread, (void *)(uintptr_t)pm[31]) != 0 || pthread_join(other, &result) != 0)
		return "none";
	return result == NULL ? "neither" : result == (void *)1 ? "one" : "both";
}

static const char *forks(void)
{
	int status;
	pid_t child = fork();
	if (child == 0)
		_exit(is_valid() ? 3 : (int)(pm[9] & 1));
	return waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 3 ? "valid" : status ? "odd" : "even";
}

/* As PMDK's lanes: each of them is looked at, and most are empty. */
static const char *lanes(void)
{
	static char text[32];
	unsigned valid = 0, empty = 0;
	for (unsigned round = 0; round < 20; round++)
		for (unsigned lane = 0; lane < 4; lane++) {
			const uint64_t *at = pm + 16 * lane;
			if (at[1] == 0 && at[2] == 0)
				empty++;
			else if (fletcher(at + 1, at + 8) == at[0])
				valid++;
		}
	snprintf(text, sizeof text, "%u %u", valid, empty);
	return text;
}

/* It repairs what it finds, and looks again. */
static const char *repairs(void)
{
	if (is_valid()) {
		memcpy(pm + 40, pm + 8, 64);
		pm[0] = 0;
	}
	return pm[40] == pm[41] ? "alike" : pm[40] < 50 ? "small" : "large";
}

static const struct {
	const char *name;
	const char *(*run)(void);
} ways[] = {{"checksum", checksum}, {"crc", crc}, {"vectors", vectors}, {"copies", copies}, {"branches", branches},
		{"follows", follows}, {"multiplied", multiplied}, {"stored", stored}, {"pushed", pushed}, {"hidden", hidden},
		{"hidden-long", hidden_long}, {"hidden-jump", hidden_jump}, {"hidden-skip", hidden_skip},
		{"hidden-add", hidden_add}, {"hidden-push", hidden_push}, {"hidden-frame", hidden_frame},
		{"hidden-flags", hidden_flags}, {"jumps", jumps}, {"raises", raises}, {"dispatches", dispatches},
		{"threads", threads}, {"forks", forks}, {"lanes", lanes}, {"repairs", repairs}};

int main(int count, char **arguments)
{
	for (size_t i = 0; count == 1 && i < sizeof ways / sizeof *ways; i++)
		puts(ways[i].name);
	if (count != 3)
		return count == 1 ? 0 : 9;
	int file = open(arguments[1], O_RDWR);
	pm = mmap(NULL, WORDS * sizeof *pm, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (file < 0 || pm == MAP_FAILED)
		return 9;
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (strcmp(ways[i].name, arguments[2]) == 0) {
			const char *said = ways[i].run();
			other_work(2);
			puts(said);
			return 0;
		}
	return 9;
}
