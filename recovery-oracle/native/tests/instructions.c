/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions of registers, as they are interpreted and as the processor executes them: all operands of all opcodes
 * that are known, with some numbers in the registers.
 */
#include "../arithmetic.h"
#include "../interpret.h"
#include "../operand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { RSP = 4, TRIES = 3 };

/* In the order of their numbers; then the flags. */
static uint64_t state[17];
static uint8_t *code;
static unsigned known, refused, failed;

/* Executes code with the registers of state. */
void run(void);
__asm__(".text\nrun:\n"
		"push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n"
		"pushq state+128(%rip); popfq\n"
		"mov state(%rip), %rax; mov state+8(%rip), %rcx; mov state+16(%rip), %rdx; mov state+24(%rip), %rbx\n"
		"mov state+40(%rip), %rbp; mov state+48(%rip), %rsi; mov state+56(%rip), %rdi; mov state+64(%rip), %r8\n"
		"mov state+72(%rip), %r9; mov state+80(%rip), %r10; mov state+88(%rip), %r11; mov state+96(%rip), %r12\n"
		"mov state+104(%rip), %r13; mov state+112(%rip), %r14; mov state+120(%rip), %r15\n"
		"call *code(%rip)\n"
		"mov %rax, state(%rip); mov %rcx, state+8(%rip); mov %rdx, state+16(%rip); mov %rbx, state+24(%rip)\n"
		"mov %rbp, state+40(%rip); mov %rsi, state+48(%rip); mov %rdi, state+56(%rip); mov %r8, state+64(%rip)\n"
		"mov %r9, state+72(%rip); mov %r10, state+80(%rip); mov %r11, state+88(%rip); mov %r12, state+96(%rip)\n"
		"mov %r13, state+104(%rip); mov %r14, state+112(%rip); mov %r15, state+120(%rip)\n"
		"pushfq; popq state+128(%rip)\n"
		"pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx\n"
		"ret\n");

static uint64_t some(void)
{
	static uint64_t random = 88172645463325252;
	static const uint64_t edges[] = {0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0x7fffffff, 0x80000000, 0xffffffff,
			INT64_MAX, 1ULL << 63, UINT64_MAX};
	random ^= random << 13;
	random ^= random >> 7;
	random ^= random << 17;
	return random % 3 == 0 ? edges[random / 3 % (sizeof edges / sizeof *edges)] : random;
}

static void complain(const uint8_t *bytes, const char *what, uint64_t is, uint64_t should)
{
	if (failed++ > 20)
		return;
	for (unsigned i = 0; i < LONGEST_INSTRUCTION; i++)
		printf("%02x ", bytes[i]);
	printf(": %s is %lx, not %lx\n", what, is, should);
}

static unsigned number_of_tries;

/* undefined: flags */
static void compare(const uint8_t *bytes, uint64_t undefined)
{
	struct user_regs_struct registers = {.rip = (uint64_t)code};
	for (unsigned i = 0; i < 16; i++)
		*operand_general(&registers, i) = state[i] = some();
	if (number_of_tries++ % 2 == 0)
		registers.rdx = state[2] = some() % 16; /* so that divisions are possible */
	state[16] = registers.eflags = (some() & ARITHMETIC_FLAGS) | 0x202;
	if (!interpret(bytes, &registers)) {
		refused++;
		return;
	}
	known++;
	unsigned length = registers.rip - (uint64_t)code;
	memcpy(code, bytes, length);
	code[length] = 0xc3;
	run();
	for (unsigned i = 0; i < 16; i++)
		if (i != RSP && state[i] != operand_value(&registers, i))
			complain(bytes, "a register", operand_value(&registers, i), state[i]);
	uint64_t defined = ARITHMETIC_FLAGS & ~undefined;
	if ((state[16] & defined) != (registers.eflags & defined))
		complain(bytes, "flags", registers.eflags & defined, state[16] & defined);
}

static uint64_t undefined_by(const uint8_t *opcode, unsigned count)
{
	bool is_one = opcode[0] == 0xd0 || opcode[0] == 0xd1 || count == 1;
	switch (opcode[0]) {
	case 0x08 ... 0x0d:
	case 0x20 ... 0x25:
	case 0x30 ... 0x35:
	case 0x84:
	case 0x85:
	case 0xa8:
	case 0xa9:
	case 0xf6:
	case 0xf7: {
		unsigned operation = opcode[1] >> 3 & 7;
		return operation == 6    ? ARITHMETIC_FLAGS
				: operation == 4 ? ARITHMETIC_FLAGS & ~(CARRY_FLAG | OVERFLOW_FLAG)
								 : AUXILIARY_FLAG;
	}
	case 0x80:
	case 0x81:
	case 0x83: return AUXILIARY_FLAG * ((0x52 >> (opcode[1] >> 3 & 7)) & 1);
	/* More bits than the operand has leave the carry flag undefined. */
	case 0xc0:
	case 0xc1:
	case 0xd0 ... 0xd3: return AUXILIARY_FLAG | (is_one ? 0 : OVERFLOW_FLAG | CARRY_FLAG * (count >= 8));
	case 0x69:
	case 0x6b: return ARITHMETIC_FLAGS & ~(CARRY_FLAG | OVERFLOW_FLAG);
	case 0x0f: return opcode[1] == 0xaf ? ARITHMETIC_FLAGS & ~(CARRY_FLAG | OVERFLOW_FLAG) : 0;
	default: return 0;
	}
}

/* Whether the stack pointer would be an operand: not here, where it is our own. */
static bool has_stack_pointer(uint8_t rex, const uint8_t *opcode, bool has_modrm)
{
	uint8_t modrm = opcode[opcode[0] == 0x0f ? 2 : 1];
	bool is_byte = rex == 0 && opcode[0] != 0x0f && !(opcode[0] & 1);
	if (!has_modrm)
		return !(rex & 1) && (((opcode[0] & 0xf7) == 0xb4 && (opcode[0] == 0xbc || rex != 0)));
	/* Part of the opcode, where it is no register. */
	bool is_group = opcode[0] >> 2 == 0x20 || opcode[0] >> 4 == 0xc || opcode[0] >> 4 == 0xd || opcode[0] >> 4 == 0xf;
	bool is_field = !is_group && (modrm >> 3 & 7) == RSP && !(rex & 4);
	return !is_byte && (is_field || ((modrm & 7) == RSP && !(rex & 1)));
}

static void all_forms(const uint8_t *opcode, unsigned length, bool has_modrm)
{
	for (unsigned is_short = 0; is_short < 2; is_short++)
		for (unsigned rex = 0x3f; rex < 0x50; rex++)
			for (unsigned modrm = 0xc0; modrm < (has_modrm ? 0x100 : 0xc1); modrm++)
				for (unsigned i = 0; i < TRIES; i++) {
					uint8_t bytes[LONGEST_INSTRUCTION + 8] = {0}, own[3] = {0};
					unsigned at = 0;
					if (is_short)
						bytes[at++] = 0x66;
					if (rex >= 0x40)
						bytes[at++] = rex;
					memcpy(own, opcode, length);
					if (has_modrm)
						own[length] = modrm;
					if (has_stack_pointer(rex >= 0x40 ? rex : 0, own, has_modrm))
						continue;
					memcpy(bytes + at, own, length + has_modrm);
					at += length + has_modrm;
					uint64_t number = some();
					memcpy(bytes + at, &number, sizeof number);
					bool is_shift = (opcode[0] & 0xfe) == 0xc0;
					compare(bytes, undefined_by(own, is_shift ? bytes[at] & 63 : 64));
				}
}

static void addresses(void)
{
	for (unsigned modrm = 0; modrm < 0xc0; modrm++)
		for (unsigned sib = 0; sib < 0x100; sib++)
			for (unsigned rex = 0x40; rex < 0x50; rex++) {
				uint8_t bytes[LONGEST_INSTRUCTION + 8] = {rex, 0x8d, modrm, sib, 0x81, 0x72, 0x63, 0x94};
				bool has_sib = (modrm & 7) == 4;
				bool is_stack = ((modrm >> 3 & 7) == RSP && !(rex & 4)) || (has_sib && (sib & 7) == RSP && !(rex & 1));
				if (!is_stack)
					compare(bytes, 0);
			}
}

static void jumps(void)
{
	for (unsigned condition = 0; condition < 16; condition++)
		for (unsigned i = 0; i < 64; i++) {
			uint8_t set[LONGEST_INSTRUCTION] = {0x0f, 0x90 | condition, 0xc0}, near[] = {0x70 | condition, 0x85},
					far[] = {0x0f, 0x80 | condition, 0x10, 0x20, 0x30, 0xf0};
			uint8_t code_near[LONGEST_INSTRUCTION] = {0}, code_far[LONGEST_INSTRUCTION] = {0};
			struct user_regs_struct first = {.rip = 0x12345678, .eflags = some() & ARITHMETIC_FLAGS}, second = first,
									asked = first;
			memcpy(code_near, near, sizeof near);
			memcpy(code_far, far, sizeof far);
			bool are_known = interpret(set, &asked) && interpret(code_near, &first) && interpret(code_far, &second);
			uint64_t taken = asked.rax & 1;
			if (!are_known || first.rip != 0x1234567a + taken * (uint64_t)(int8_t)0x85)
				complain(near, "where it goes", first.rip, taken);
			if (second.rip != 0x1234567e + taken * (uint64_t)(int32_t)0xf0302010)
				complain(far, "where it goes", second.rip, taken);
		}
}

int main(void)
{
	code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (code == MAP_FAILED)
		return 2;
	for (unsigned one = 0; one < 0x100; one++) {
		bool has_modrm = (one < 0x40 && (one & 7) < 4) || one == 0x63 || one == 0x69 || (one & 0xfd) == 0x69 ||
				(one >= 0x80 && one < 0x8c) || (one & 0xfe) == 0xc0 || (one & 0xfe) == 0xc6 || (one & 0xfc) == 0xd0 ||
				one >= 0xf6;
		bool is_prefix = one == 0x0f || one == 0x66 || one >> 4 == 4;
		bool is_jump = one >> 4 == 7 || one == 0xe9 || one == 0xeb || one == 0x8d;
		if (!is_prefix && !is_jump)
			all_forms((const uint8_t[]){one}, 1, has_modrm);
	}
	for (unsigned two = 0x40; two < 0x100; two++)
		if (two >> 4 != 8)
			all_forms((const uint8_t[]){0x0f, two}, 2, true);
	addresses();
	jumps();
	const unsigned least = 100000;
	printf("interpret: %u instructions, %u more not known, %u failed\n", known, refused, failed);
	return failed > 0 || known < least;
}
