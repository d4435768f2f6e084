/* SPDX-License-Identifier: Apache-2.0 */
#include "stores.h"

#include "operand.h"

#include <cpuid.h>
#include <elf.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

/* The state of all vector registers, as XSAVE lays it out (Intel SDM, volume 1, 13.4). */
enum { XMM_AT = 160, LEAF_STATE = 0xd, YMM = 2, ZMM_UPPER = 6, ZMM_MORE = 7, MOST_STATE = 16384 };

/* What VEX and EVEX prefixes say that others do not. */
struct vector {
	bool is_wide; /* 64-bit elements */
	unsigned bytes;
	unsigned more; /* 16 = the register is one of the upper half */
};

static bool is_general(struct store *store, struct bytes *bytes, uint8_t opcode, uint8_t modrm, unsigned *immediate)
{
	unsigned size = operand_width(bytes);
	store->size = opcode & 1 ? size : 1;
	*immediate = 0;
	if (bytes->has_f2 || bytes->has_f3)
		return false;
	if (opcode == 0x88 || opcode == 0x89)
		return true;
	if ((opcode != 0xc6 && opcode != 0xc7) || (modrm >> 3 & 7) != 0)
		return false;
	store->source = IMMEDIATE;
	*immediate = opcode == 0xc6 ? 1 : size == 2 ? 2 : 4;
	return true;
}

/* Opcodes after 0F, with and without VEX. */
static bool is_vector(struct store *store, const struct bytes *bytes, uint8_t opcode, struct vector vector)
{
	bool is_plain = !bytes->has_f2 && !bytes->has_f3;
	store->source = VECTOR;
	store->size = vector.bytes;
	switch (opcode) {
	case 0x11:
		if (!is_plain)
			store->size = bytes->has_f3 ? 4 : 8;
		return true;
	case 0x13: store->size = 8; return is_plain;
	case 0x17:
		store->size = 8;
		store->is_upper = true;
		return is_plain;
	case 0x29:
	case 0x2b: store->is_aligned = true; return is_plain;
	case 0x7e: store->size = vector.is_wide ? 8 : 4; return is_plain && bytes->is_short;
	case 0x7f: store->is_aligned = is_plain; return bytes->is_short || bytes->has_f3;
	case 0xd6: store->size = 8; return is_plain && bytes->is_short;
	case 0xe7: store->is_aligned = true; return is_plain && bytes->is_short;
	default: return false;
	}
}

static bool after_0f(struct store *store, struct bytes *bytes)
{
	uint8_t opcode = bytes->code[bytes->at++];
	if (opcode == 0xc3 && !bytes->is_short && !bytes->has_f2 && !bytes->has_f3) { /* not cached */
		store->size = operand_width(bytes);
		return true;
	}
	return is_vector(store, bytes, opcode, (struct vector){.is_wide = bytes->rex & 8, .bytes = 16});
}

static void mandatory_prefix(struct bytes *bytes, unsigned number)
{
	bytes->is_short = number == 1;
	bytes->has_f3 = number == 2;
	bytes->has_f2 = number == 3;
}

/* Of the first map of opcodes, which is that after 0F. */
static bool after_vex(struct store *store, struct bytes *bytes)
{
	bool is_long = bytes->code[bytes->at++] == 0xc4;
	uint8_t extensions = bytes->code[bytes->at++], last = is_long ? bytes->code[bytes->at++] : extensions;
	bytes->rex = 0x40 | (extensions & 0x80 ? 0 : 4);
	if (is_long) {
		bytes->rex |= (extensions & 0x40 ? 0 : 2) | (extensions & 0x20 ? 0 : 1) | (last & 0x80 ? 8 : 0);
		if ((extensions & 0x1f) != 1)
			return false;
	}
	mandatory_prefix(bytes, last & 3);
	return is_vector(store, bytes, bytes->code[bytes->at++],
			(struct vector){.is_wide = bytes->rex & 8, .bytes = last & 4 ? 32 : 16});
}

static bool after_evex(struct store *store, struct bytes *bytes, struct vector *vector)
{
	uint8_t extensions = bytes->code[1], middle = bytes->code[2], last = bytes->code[3], opcode = bytes->code[4];
	bool is_masked = last & 0x87, is_broadcast = last & 0x10;
	bytes->at = 5;
	bytes->rex = 0x40 | (extensions & 0x80 ? 0 : 4) | (extensions & 0x40 ? 0 : 2) | (extensions & 0x20 ? 0 : 1) |
			(middle & 0x80 ? 8 : 0);
	mandatory_prefix(bytes, middle & 3);
	vector->bytes = bytes->scale = 16U << (last >> 5 & 3);
	vector->more = extensions & 0x10 ? 0 : 16;
	if ((extensions & 0xf) != 1 || is_masked || is_broadcast || vector->bytes > LARGEST_STORE)
		return false;
	/* Moves of 8 and 16-bit elements carry F2, and as all others cover the whole register. */
	if (opcode == 0x7f && bytes->has_f2) {
		mandatory_prefix(bytes, 2);
		return is_vector(store, bytes, opcode, *vector);
	}
	bool is_whole = !bytes->has_f2 && !(bytes->has_f3 && opcode != 0x7f);
	return is_whole && (opcode == 0x11 || opcode == 0x29 || opcode == 0x2b || opcode == 0x7f || opcode == 0xe7) &&
			is_vector(store, bytes, opcode, *vector);
}

bool stores_parse(const uint8_t code[LONGEST_INSTRUCTION], const struct user_regs_struct *registers,
		struct store *store)
{
	struct bytes bytes = {.code = code};
	struct vector vector = {.bytes = 16};
	struct operand operand;
	unsigned immediate = 0;
	bool is_known;
	*store = (struct store){0};
	operand_prefixes(&bytes);
	uint8_t first = code[bytes.at];
	if (first == 0x0f) {
		bytes.at++;
		is_known = after_0f(store, &bytes);
	} else if (first == 0xc4 || first == 0xc5)
		is_known = bytes.at == 0 && after_vex(store, &bytes);
	else if (first == 0x62)
		is_known = bytes.at == 0 && after_evex(store, &bytes, &vector);
	else {
		bytes.at++;
		is_known = is_general(store, &bytes, first, code[bytes.at], &immediate);
	}
	if (!is_known || !operand_at(&bytes, registers, &operand))
		return false;
	store->address = operand.address;
	store->number = operand.number + vector.more;
	store->has_rex = bytes.rex != 0;
	store->immediate = immediate == 0 ? 0 : (uint64_t)operand_number(&bytes, immediate);
	store->length = bytes.at;
	if (operand.is_relative)
		store->address += registers->rip + store->length;
	return store->length <= LONGEST_INSTRUCTION;
}

static unsigned state_at(unsigned component)
{
	unsigned size, at, flags, unused;
	return __get_cpuid_count(LEAF_STATE, component, &size, &at, &flags, &unused) ? at : 0;
}

/* The kernel writes zeros for what is not in use. */
static bool vector_value(pid_t tid, unsigned number, uint8_t value[LARGEST_STORE])
{
	static uint8_t state[MOST_STATE];
	static unsigned ymm, upper, more;
	struct iovec all = {.iov_base = state, .iov_len = sizeof state};
	if (ymm == 0) {
		ymm = state_at(YMM);
		upper = state_at(ZMM_UPPER);
		more = state_at(ZMM_MORE);
	}
	if (ptrace(PTRACE_GETREGSET, tid, NT_X86_XSTATE, &all) != 0)
		return false;
	if (number >= 16) {
		unsigned at = more + 64 * (number - 16);
		memcpy(value, state + at, LARGEST_STORE);
		return more != 0 && at + LARGEST_STORE <= all.iov_len;
	}
	memcpy(value, state + XMM_AT + 16 * number, 16);
	if (ymm != 0 && ymm + 16 * (number + 1) <= all.iov_len)
		memcpy(value + 16, state + ymm + 16 * number, 16);
	if (upper != 0 && upper + 32 * (number + 1) <= all.iov_len)
		memcpy(value + 32, state + upper + 32 * number, 32);
	return true;
}

static bool small_vector_value(pid_t tid, const struct store *store, uint8_t value[LARGEST_STORE])
{
	struct user_fpregs_struct vectors;
	if (ptrace(PTRACE_GETFPREGS, tid, NULL, &vectors) != 0)
		return false;
	memcpy(value, (const uint8_t *)&vectors.xmm_space[store->number * 4] + (store->is_upper ? 8 : 0),
			store->is_upper ? 8 : 16);
	return true;
}

bool stores_value(pid_t tid, const struct store *store, const struct user_regs_struct *registers,
		uint8_t value[LARGEST_STORE])
{
	memset(value, 0, LARGEST_STORE);
	if (store->source == VECTOR)
		return store->size <= 16 && store->number < 16 ? small_vector_value(tid, store, value)
													   : vector_value(tid, store->number, value);
	bool is_high = store->size == 1 && !store->has_rex && store->number >= 4;
	uint64_t number = store->source == IMMEDIATE ? store->immediate
			: is_high                            ? operand_value(registers, store->number - 4) >> 8
												 : operand_value(registers, store->number);
	memcpy(value, &number, sizeof number);
	return true;
}
